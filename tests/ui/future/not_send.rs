use chatluna_tool::tool;
use std::future::ready;
use std::rc::Rc;

/// Adds one.
#[tool]
async fn add(number: i64) -> i64 {
    let shared = Rc::new(number);
    ready(()).await;
    *shared + 1
}

fn main() {}
