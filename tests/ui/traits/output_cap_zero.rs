use chatluna_tool::tool;

/// Reads all of it.
#[tool(traits(output_cap = 0))]
async fn read() {}

fn main() {}
