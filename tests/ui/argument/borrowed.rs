use chatluna_tool::tool;

/// Does something.
#[tool]
async fn count(pairs: Vec<(&str, u8)>) -> usize {
    pairs.len()
}

fn main() {}
