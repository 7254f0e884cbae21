use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[serde(default = "a b")] count: u8) {
    let _ = count;
}

fn main() {}
