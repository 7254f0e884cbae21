use chatluna_tool::tool;

/// Adds one.
#[tool]
async fn add(number: i64) -> i64;

fn main() {
    drop(add(1));
}
