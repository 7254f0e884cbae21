use chatluna_tool::{tool, tool_type};

#[tool_type]
struct Day { hour: u8 }

/// Does something.
#[tool]
async fn act(#[arg(flatten, rename = "a")] day: Day) {
    let _ = day;
}

fn main() {}
