use chatluna_tool::tool;

struct Failed;

/// Does something.
#[tool]
async fn weather() -> Result<String, Failed> {
    Err(Failed)
}

fn main() {}
