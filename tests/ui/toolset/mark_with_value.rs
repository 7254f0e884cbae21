use chatluna_tool::{tool, toolset};

struct Db;

#[toolset]
impl Db {
    /// Finds rows.
    #[tool = "rows"]
    fn find(&self) {}
}

fn main() {}
