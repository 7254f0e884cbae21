use chatluna_tool::tool;

/// Adds one.
#[tool]
pub type Add = fn(i64) -> i64;

fn main() {}
