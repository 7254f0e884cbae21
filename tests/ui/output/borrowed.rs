use chatluna_tool::tool;

struct Name(String);

/// Does something.
#[tool]
async fn show(name: &Name) -> &str {
    &name.0
}

fn main() {}
