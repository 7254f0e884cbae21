use chatluna_tool::tool;

/// Does something.
#[tool(traits(parallel, key = town))]
async fn act() {
    let _ = ();
}

fn main() {}
