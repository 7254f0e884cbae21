use chatluna_tool::tool;

/// Adds one.
#[tool]
async fn add(number: i64) -> Result<i64, > {
    todo!()
}

fn main() {
    drop(add(1));
}
