use chatluna_tool::{tool, toolset};

struct Db;

#[toolset]
impl Db {
    /// Finds rows.
    #[tool]
    fn find(#[arg(secret)] &self) {}
}

fn main() {}
