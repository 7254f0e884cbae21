use chatluna_tool::tool;

const MIN: usize = 2;
/// Does something.
#[tool]
async fn act(#[arg(length(MIN..=1))] city: String) {
    let _ = city;
}

fn main() {}
