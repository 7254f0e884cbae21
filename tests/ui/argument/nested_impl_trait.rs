use chatluna_tool::tool;

/// Does something.
#[tool]
async fn echo(text: Option<impl Into<String>>) -> Option<String> {
    text.map(Into::into)
}

fn main() {}
