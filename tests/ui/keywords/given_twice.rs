use chatluna_tool::tool;

/// Adds one.
#[tool(keywords = ["sum", "plus", "Sum"])]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
