use chatluna_tool::tool;

/// Waits
#[tool(traits(timeout = "none", background = true))]
async fn wait() {}

fn main() {}
