use chatluna_tool::tool;

/// Does something.
#[tool]
fn show(_text: str) {}

fn main() {}
