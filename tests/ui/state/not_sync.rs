use chatluna_tool::tool;
use std::cell::Cell;

/// Does something.
#[tool]
async fn count(counter: &Cell<i64>) -> i64 {
    counter.get()
}

fn main() {}
