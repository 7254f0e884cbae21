use chatluna_tool::tool;

/// Adds one.
#[tool]
pub struct Add;

fn main() {}
