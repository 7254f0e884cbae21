use chatluna_tool::tool;

const DAYS: i64 = 3;
/// Does something.
#[tool]
async fn act(#[arg(default = DAYS)] days: u8) {
    let _ = days;
}

fn main() {}
