use chatluna_tool::tool;

/// Does something.
#[tool(example = 3)]
async fn act() {}

fn main() {}
