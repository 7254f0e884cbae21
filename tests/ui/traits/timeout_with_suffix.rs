use chatluna_tool::tool;

/// Adds one.
#[tool(traits(timeout = 30_000u32))]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
