use chatluna_tool::tool;

/// Adds one.
#[tool(keywords = [])]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
