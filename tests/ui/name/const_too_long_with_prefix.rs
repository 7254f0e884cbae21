use chatluna_tool::tool;

const NAME: &str = "add_add_add_add_add_add_add_add_add_add_add_add_add_add_add_";

/// Adds one.
#[tool(name = NAME, prefix = "math")]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
