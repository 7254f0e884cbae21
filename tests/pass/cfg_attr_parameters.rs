//! `cfg_attr` on parameters: what it brings is a `cfg`, a comment or a lint.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

/// Counts.
#[tool(args = CountArgs)]
async fn count(
    #[cfg_attr(all(), cfg(any()))] gone: Missing,
    #[cfg_attr(any(), cfg(any()))] here: u8,
    #[cfg_attr(all(), cfg(all()))] there: u8,
    #[cfg_attr(all(), allow(unused_variables))] ignored: Option<u8>,
) -> u8 {
    here + there
}

fn main() {
    let CountArgs {
        here: _,
        there: _,
        ignored: _,
    } = CountArgs {
        here: 1,
        there: 2,
        ignored: None,
    };
    let arguments = serde_json::json!({"here": 1, "there": 2});
    assert_eq!(support::call("count", arguments), "3");
}
