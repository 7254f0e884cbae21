use chatluna_tool::tool;

/// Reads all of it.
#[tool(traits(output_cap = "20 KB"))]
async fn read() {}

fn main() {}
