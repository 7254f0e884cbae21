use chatluna_tool::{tool, toolset};

struct Sums;

#[toolset(keywords = ["sum"])]
impl Sums {
    /// Adds one.
    #[tool(keywords = ["plus", "sum"])]
    async fn add(number: i64) -> i64 {
        number + 1
    }
}

fn main() {}
