use chatluna_tool::tool;

/// Adds one.
#[tool]
async fn add(number) {}

fn main() {
    drop(add(1));
}
