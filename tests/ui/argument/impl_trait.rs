use chatluna_tool::tool;

/// Does something.
#[tool]
async fn echo(text: impl Into<String>) -> String {
    text.into()
}

fn main() {}
