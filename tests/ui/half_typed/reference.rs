use chatluna_tool::tool;

/// Adds them.
#[tool]
async fn add(left: i64, call: &) -> i64 {
    left
}

fn main() {
    let _ = add;
}
