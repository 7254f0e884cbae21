use chatluna_tool::tool;

/// Does something.
#[tool]
async fn 天气() {}

fn main() {}
