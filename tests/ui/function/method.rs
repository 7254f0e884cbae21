use chatluna_tool::tool;

struct Counter(i64);

impl Counter {
    /// Adds.
    #[tool]
    async fn add(&self, number: i64) -> i64 {
        self.0 + number
    }
}

fn main() {}
