use chatluna_tool::tool;

/// Adds one.
#[tool]
async fn add(number: i64) -> {
    number + 1
}

fn main() {
    drop(add(1));
}
