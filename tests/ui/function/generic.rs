use chatluna_tool::tool;

/// Does something.
#[tool]
async fn add<T>(number: T) -> T {
    number
}

fn main() {}
