use chatluna_tool::tool;

const MAX: u8 = 0;
/// Does something.
#[tool]
async fn act(#[arg(range(1..=MAX))] count: u8) {
    let _ = count;
}

fn main() {}
