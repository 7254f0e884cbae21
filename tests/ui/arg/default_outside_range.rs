use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(default = 20, range(1..=14))] days: u8) {
    let _ = days;
}

fn main() {}
