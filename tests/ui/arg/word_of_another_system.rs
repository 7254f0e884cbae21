use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(max_length = 3)] city: String) {
    let _ = city;
}

fn main() {}
