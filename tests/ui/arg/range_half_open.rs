use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(range(1..10))] count: u8) {
    let _ = count;
}

fn main() {}
