use chatluna_tool::tool;

/// Does something.
#[tool(traits(parallel, key = |city, town| city))]
async fn act(city: String) {
    let _ = city;
}

fn main() {}
