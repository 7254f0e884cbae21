use chatluna_tool::tool;

/// Does something.
#[tool(traits(parallel, key = city))]
async fn act(city: Option<String>) {
    let _ = city;
}

fn main() {}
