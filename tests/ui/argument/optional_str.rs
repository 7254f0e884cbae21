use chatluna_tool::tool;

/// Greets
#[tool]
async fn greet(name: Option<&str>) -> String {
    name.unwrap_or("you").to_owned()
}

fn main() {}
