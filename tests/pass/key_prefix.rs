//! `prefix`: before the function's name and before `name`; empty is none.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

/// Adds.
#[tool(prefix = "math")]
async fn add() {}

/// Subtracts.
#[tool(prefix = "math", name = "minus")]
async fn subtract() {}

/// Multiplies.
#[tool(prefix = "")]
async fn times() {}

fn main() {
    assert_eq!(support::names(), ["math_add", "math_minus", "times"]);
}
