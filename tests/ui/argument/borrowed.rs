use chatluna_tool::tool;

/// Does something.
#[tool]
async fn echo(text: Option<&str>) -> bool {
    text.is_some()
}

fn main() {}
