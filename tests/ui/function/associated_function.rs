use chatluna_tool::tool;

struct Db;

impl Db {
    /// Counts rows.
    #[tool]
    async fn count(table: String) -> usize {
        table.len()
    }
}

fn main() {}
