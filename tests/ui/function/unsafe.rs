use chatluna_tool::tool;

/// Does something.
#[tool]
async unsafe fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
