use chatluna_tool::tool;

/// Adds them.
#[tool]
async fn add(left: i64, right: ) -> i64 {
    left
}

fn main() {
    let _ = add;
}
