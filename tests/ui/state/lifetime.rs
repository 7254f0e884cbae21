use chatluna_tool::tool;

/// Does something.
#[tool]
async fn count(counter: &'static i64) -> i64 {
    *counter
}

fn main() {}
