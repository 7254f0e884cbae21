use chatluna_tool::tool;

/// Waits
#[tool(traits(timeout = "none"))]
async fn wait() {}

fn main() {}
