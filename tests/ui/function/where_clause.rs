use chatluna_tool::tool;

/// Does something.
#[tool]
async fn add(number: i64) -> i64
where
    i64: Copy,
{
    number + 1
}

fn main() {}
