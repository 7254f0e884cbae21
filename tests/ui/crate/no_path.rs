use chatluna_tool::tool;

/// Adds one.
#[tool(crate = "my_facade::chatluna_tool")]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
