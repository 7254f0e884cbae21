use chatluna_tool::tool;

/// Waits
#[tool(traits(timeout = "30 seconds"))]
async fn wait() {}

fn main() {}
