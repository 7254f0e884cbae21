use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[serde(with = "hex")] #[schemars(with = "String")] bytes: Vec<u8>) {
    let _ = bytes;
}

fn main() {}
