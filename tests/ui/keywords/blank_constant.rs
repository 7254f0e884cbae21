use chatluna_tool::tool;

const NOTHING: &str = " ";

/// Adds one.
#[tool(keywords = ["sum", NOTHING])]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
