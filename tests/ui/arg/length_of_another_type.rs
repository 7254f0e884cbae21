use chatluna_tool::tool;

const MAX: i64 = 5;
/// Does something.
#[tool]
async fn act(#[arg(length(..=MAX))] city: String) {
    let _ = city;
}

fn main() {}
