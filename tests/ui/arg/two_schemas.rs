use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[schemars(with = "u8", schema_with = "text")] count: u8) {
    let _ = count;
}

fn main() {}
