use chatluna_tool::tool;

/// Does something.
#[tool]
async fn add(#[arg(default = 1)] number: i64) -> i64 {
    number + 1
}

fn main() {}
