use chatluna_tool::tool;

/// Reads all of it.
#[tool(traits(output_cap = 20_000usize))]
async fn read() {}

fn main() {}
