use chatluna_tool::{tool, toolset};

trait Find: Send + Sync {}

#[toolset]
impl dyn Find {
    /// Finds rows.
    #[tool]
    fn find(&self) {}
}

fn main() {}
