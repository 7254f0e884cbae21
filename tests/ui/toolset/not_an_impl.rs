use chatluna_tool::toolset;

#[toolset]
fn ping() {}

fn main() {}
