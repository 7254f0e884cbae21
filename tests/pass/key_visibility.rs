//! `visibility`: a closure and a path.
#![deny(warnings)]

mod support;

use chatluna_tool::{SessionInfo, tool};

/// Nobody sees it.
#[tool(visibility = |session| session.id == "another")]
async fn closure() {}

/// Everybody sees it.
#[tool(visibility = is_visible)]
async fn path() {}

fn is_visible(session: &SessionInfo) -> bool {
    session.id == "pass"
}

fn main() {
    assert_eq!(support::names(), ["path"]);
}
