use chatluna_tool::tool;

/// Does something.
#[tool]
fn add(_number: i64, _number: i64) {}

fn main() {}
