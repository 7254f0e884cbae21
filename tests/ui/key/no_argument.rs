use chatluna_tool::tool;

/// Does something.
#[tool(traits(parallel, key = town))]
async fn act(city: String) {
    let _ = city;
}

fn main() {}
