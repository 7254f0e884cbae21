use chatluna_tool::toolset;

struct Db;

#[toolset]
impl Db {
    /// Finds rows.
    #[tool]
    fn find(&self) {}
}

fn main() {}
