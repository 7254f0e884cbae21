use chatluna_tool::tool;

/// Does something.
#[tool]
fn add(_number: _) {}

fn main() {}
