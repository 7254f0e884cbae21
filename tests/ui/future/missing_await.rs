use chatluna_tool::tool;

async fn sum(left: i64, right: i64) -> i64 {
    left + right
}

/// Adds.
#[tool]
async fn add(left: i64, right: i64) -> i64 {
    sum(left, right)
}

fn main() {}
