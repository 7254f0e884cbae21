use chatluna_tool::tool;

/// Does something.
#[tool]
async fn echo(text: &String) -> String {
    text.clone()
}

fn main() {}
