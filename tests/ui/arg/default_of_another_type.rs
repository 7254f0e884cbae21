use chatluna_tool::{tool, tool_type};

#[tool_type]
enum Unit {
    Celsius,
}

/// Does something.
#[tool]
async fn act(#[arg(default = "celsius")] unit: Unit) {
    let _ = unit;
}

fn main() {
    let _ = Unit::Celsius;
}
