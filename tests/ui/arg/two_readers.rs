use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[serde(with = "a", deserialize_with = "b")] #[schemars(with = "u8")] count: u8) {
    let _ = count;
}

fn main() {}
