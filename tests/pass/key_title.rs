//! `title`: for people.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

/// Adds.
#[tool(title = "Plus")]
async fn add() {}

fn main() {
    assert_eq!(support::definition("add").display_name(), "Plus");
}
