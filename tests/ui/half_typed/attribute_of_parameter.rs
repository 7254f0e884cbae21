use chatluna_tool::tool;

/// Adds them.
#[tool]
async fn add(left: i64, #[arg]) -> i64 {
    left
}

fn main() {
    let _ = add;
}
