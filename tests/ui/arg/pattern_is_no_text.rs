use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(pattern = 5)] city: String) {
    let _ = city;
}

fn main() {}
