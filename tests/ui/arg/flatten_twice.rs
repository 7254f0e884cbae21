use chatluna_tool::{tool, tool_type};

#[tool_type]
struct Day { hour: u8 }

/// Does something.
#[tool]
async fn act(#[arg(flatten)] day: Day, #[arg(flatten)] end: Day) {
    let _ = (day, end);
}

fn main() {}
