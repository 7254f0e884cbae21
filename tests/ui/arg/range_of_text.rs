use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(range("a"..="b"))] city: String) {
    let _ = city;
}

fn main() {}
