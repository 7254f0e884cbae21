use chatluna_tool::tool;

const DAYS: u8 = 20;
/// Does something.
#[tool]
async fn act(#[arg(default = DAYS, range(1..=14))] days: u8) {
    let _ = days;
}

fn main() {}
