use chatluna_tool::tool;
use std::borrow::Cow;

/// Does something.
#[tool]
async fn echo(text: Cow<'_, str>) -> String {
    text.into_owned()
}

fn main() {}
