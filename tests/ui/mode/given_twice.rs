use chatluna_tool::tool;

/// Adds one.
#[tool(mode = "search", mode = "direct")]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
