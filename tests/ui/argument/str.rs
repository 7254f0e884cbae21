use chatluna_tool::tool;

/// Does something.
#[tool]
async fn echo(text: &str) -> String {
    text.to_owned()
}

fn main() {}
