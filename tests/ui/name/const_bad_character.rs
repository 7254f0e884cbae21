use chatluna_tool::tool;

const NAME: &str = "add one";

/// Adds one.
#[tool(name = NAME)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
