use chatluna_tool::tool_type;

#[tool_type]
pub fn city() {}

fn main() {}
