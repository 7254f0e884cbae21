use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[schemars(range(min = 1))] count: u8) {
    let _ = count;
}

fn main() {}
