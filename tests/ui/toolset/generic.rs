use chatluna_tool::{tool, toolset};

struct Db<T>(T);

#[toolset]
impl<T> Db<T> {
    /// Finds rows.
    #[tool]
    fn find(&self) {}
}

fn main() {}
