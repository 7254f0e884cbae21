use chatluna_tool::tool;

const NAME: char = 'a';

/// Adds one.
#[tool(name = NAME)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
