use chatluna_tool::tool;

/// Adds one.
#[tool(traits(mode = "search"))]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
