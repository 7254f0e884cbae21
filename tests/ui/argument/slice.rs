use chatluna_tool::tool;

/// Does something.
#[tool]
async fn sum(numbers: &[i64]) -> i64 {
    numbers.iter().sum()
}

fn main() {}
