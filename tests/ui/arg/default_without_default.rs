use chatluna_tool::{tool, tool_type};

#[tool_type]
struct Day(u8);

/// Does something.
#[tool]
async fn act(#[arg(default)] day: Day) {
    let _ = day;
}

fn main() {}
