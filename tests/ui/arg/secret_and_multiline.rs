use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(secret, multiline)] token: String) {
    let _ = token;
}

fn main() {}
