use chatluna_tool::tool;

/// Counts
#[tool]
async fn count(words: &Vec<String>) -> usize {
    words.len()
}

fn main() {}
