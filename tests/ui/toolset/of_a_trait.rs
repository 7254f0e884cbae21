use chatluna_tool::{tool, toolset};

struct Db;

#[toolset]
impl Find for Db {
    /// Finds rows.
    #[tool]
    fn find(&self) {}
}

trait Find {
    fn find(&self);
}

fn main() {}
