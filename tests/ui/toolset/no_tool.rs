use chatluna_tool::toolset;

struct Db;

#[toolset]
impl Db {
    fn find(&self) {}
}

fn main() {}
