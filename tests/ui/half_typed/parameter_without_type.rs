use chatluna_tool::tool;

/// Adds them.
#[tool(traits(parallel))]
async fn add(left: i64, ri) -> i64 {
    left
}

fn main() {
    let _ = add;
}
