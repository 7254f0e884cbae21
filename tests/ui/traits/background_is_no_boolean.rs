use chatluna_tool::tool;

/// Waits
#[tool(traits(background = "no"))]
async fn wait() {}

fn main() {}
