use chatluna_tool::tool;

/// Adds one.
#[tool(keywords = ["how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? how do I add one? "])]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
