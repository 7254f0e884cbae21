use chatluna_tool::tool;

#[tool(name = "plus")]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
