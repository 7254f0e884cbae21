use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(defualt = 3)] count: u8) {
    let _ = count;
}

fn main() {}
