use chatluna_tool::tool;

const FIVE: u8 = 5;

/// Adds one.
#[tool(keywords = ["sum", FIVE])]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
