use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(flatten)] city: &str) {
    let _ = city;
}

fn main() {}
