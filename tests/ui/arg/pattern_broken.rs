use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(pattern = "[a-z")] city: String) {
    let _ = city;
}

fn main() {}
