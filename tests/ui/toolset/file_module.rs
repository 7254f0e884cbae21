use chatluna_tool::toolset;

#[toolset]
mod text;

fn main() {}
