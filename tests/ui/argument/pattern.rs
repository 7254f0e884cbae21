use chatluna_tool::tool;

/// Does something.
#[tool]
async fn add((left, right): (i64, i64)) -> i64 {
    left + right
}

fn main() {}
