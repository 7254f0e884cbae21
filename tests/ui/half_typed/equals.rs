use chatluna_tool::tool;

/// Adds one.
#[tool(name "x")]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {
    drop(add(1));
}
