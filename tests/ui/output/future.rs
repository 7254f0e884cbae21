use chatluna_tool::tool;
use std::future::{Ready, ready};

/// Adds.
#[tool]
async fn add(left: i64, right: i64) -> Ready<i64> {
    ready(left + right)
}

fn main() {}
