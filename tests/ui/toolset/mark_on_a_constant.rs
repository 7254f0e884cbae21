use chatluna_tool::{tool, toolset};

struct Db;

#[toolset]
impl Db {
    #[tool]
    const LIMIT: u8 = 1;

    /// Finds rows.
    #[tool]
    fn find(&self) {}
}

fn main() {}
