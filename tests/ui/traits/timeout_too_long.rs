use chatluna_tool::tool;

/// Adds one.
#[tool(traits(timeout = 99_999_999_999_999_999_999))]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
