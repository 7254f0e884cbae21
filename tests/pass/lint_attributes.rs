//! Lint attributes keep their effect, and what a lint expects is still found once.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, tool};

/// Expects below.
#[tool]
#[expect(unused_variables, reason = "the model likes to give it")]
async fn below(city: String, call: &CallContext) -> u8 {
    1
}

/// Expects above.
#[expect(unused_variables, unused_mut)]
#[tool(args = AboveArgs)]
fn above(mut city: &str) -> u8 {
    2
}

/// Expects on a parameter.
#[tool]
fn parameter(#[expect(unused_variables)] city: String, #[allow(unused_mut)] mut days: u8) -> u8 {
    days
}

/// Denies what is not there.
#[tool]
#[warn(unused_variables)]
#[deny(unused_mut)]
#[expect(clippy::unused_async)]
async fn denies(days: u8) -> u8 {
    days
}

fn main() {
    let arguments = serde_json::json!({"city": "Rome", "days": 3});
    assert_eq!(support::call("parameter", arguments), "3");
}
