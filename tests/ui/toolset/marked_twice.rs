use chatluna_tool::{tool, toolset};

struct Db;

#[toolset]
impl Db {
    /// Finds rows.
    #[tool]
    #[tool(name = "rows")]
    fn find(&self) {}
}

fn main() {}
