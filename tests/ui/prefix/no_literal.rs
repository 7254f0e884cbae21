use chatluna_tool::tool;

const NAME: &str = "math";

/// Adds one.
#[tool(prefix = NAME)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
