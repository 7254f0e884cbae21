use chatluna_tool::tool;

/// Reads all of it.
#[tool(traits(output_cap = 99_999_999_999_999_999_999))]
async fn read() {}

fn main() {}
