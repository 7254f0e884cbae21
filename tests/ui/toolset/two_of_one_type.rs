use chatluna_tool::{tool, toolset};

struct Db;

#[toolset]
impl Db {
    /// Finds rows.
    #[tool]
    fn find(&self) {}
}

#[toolset]
impl Db {
    /// Counts rows.
    #[tool]
    fn count(&self) {}
}

fn main() {}
