use chatluna_tool::tool;

/// Adds one.
#[tool(prefix = module::)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {
    drop(add(1));
}
