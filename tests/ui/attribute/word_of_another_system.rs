use chatluna_tool::tool;

/// Adds one.
#[tool(read_only_hint = true)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
