use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(rename = "a")] #[serde(rename = "b")] count: u8) {
    let _ = count;
}

fn main() {}
