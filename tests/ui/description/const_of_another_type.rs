use chatluna_tool::tool;

const NAME: u8 = 5;

/// Adds one.
#[tool(description = NAME)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
