use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(range(..))] count: u8) {
    let _ = count;
}

fn main() {}
