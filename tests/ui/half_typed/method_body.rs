use chatluna_tool::{tool, toolset};

struct Db;

#[toolset]
impl Db {
    /// Finds rows.
    #[tool]
    fn find(&self) -> usize {
        self.
    }
}

fn main() {
    let _: usize = Db.find();
}
