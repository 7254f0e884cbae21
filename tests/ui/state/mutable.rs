use chatluna_tool::tool;

/// Does something.
#[tool]
async fn count(counter: &mut i64) {
    *counter += 1;
}

fn main() {}
