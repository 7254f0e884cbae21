//! The function stays what it was: callable, generic code can take it, attributes work.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

/// Adds.
///
/// ```ignore
/// add(1, 2)
/// ```
#[tool]
#[allow(clippy::unused_async)]
pub(crate) async fn add(left: i64, right: i64) -> i64 {
    left + right
}

/// Halves.
#[tool]
#[inline(always)]
#[track_caller]
fn half(number: u8) -> u8 {
    number / 2
}

fn applied(function: impl Fn(u8) -> u8) -> u8 {
    function(8)
}

fn main() {
    let _sum = add(1, 2);
    assert_eq!(applied(half), 4);
    assert_eq!(
        support::call("add", serde_json::json!({"left": 1, "right": 2})),
        "3"
    );
}
