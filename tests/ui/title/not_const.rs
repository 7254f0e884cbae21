use chatluna_tool::tool;

/// Adds one.
#[tool(title = title())]
async fn add(number: i64) -> i64 {
    number + 1
}

fn title() -> &'static str {
    "Plus"
}

fn main() {}
