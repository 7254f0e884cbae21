use chatluna_tool::tool;

struct Db;
/// Does something.
#[tool]
async fn act(#[arg(secret)] db: &Db) {
    let _ = db;
}

fn main() {}
