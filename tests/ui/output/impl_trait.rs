use chatluna_tool::tool;

/// Does something.
#[tool]
async fn show() -> impl ToString {
    5
}

fn main() {}
