use chatluna_tool::tool;

/// Does something.
#[tool(traits(key = city))]
async fn act(city: String) {
    let _ = city;
}

fn main() {}
