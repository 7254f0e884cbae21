use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[serde(skip)] count: u8) {
    let _ = count;
}

fn main() {}
