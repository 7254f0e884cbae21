use chatluna_tool::{tool, toolset};

struct Db;

#[toolset(traits(key = table))]
impl Db {
    /// Finds rows.
    #[tool]
    fn find(&self, table: String) {
        let _ = table;
    }
}

fn main() {}
