use chatluna_tool::tool;

/// Does something.
#[tool]
const fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
