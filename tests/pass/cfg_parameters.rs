//! `cfg` on parameters removes everything made from them.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, Permission, tool};

/// Counts.
#[tool(permission = |args| Permission::new("count").target(args.here.to_string()))]
async fn count(
    #[cfg(any())] first: Missing,
    #[cfg(all())] here: u8,
    #[cfg(any())] both: Missing,
    #[cfg(not(any()))] both: u8,
    #[cfg(any())] missing: &Missing,
    #[cfg(all())] call: &CallContext,
    #[allow(unused_variables)] last: Option<u8>,
) -> String {
    format!("{here} {both} {}", call.name())
}

/// Is not there.
#[cfg(any())]
#[tool]
async fn above() {}

/// Is not there.
#[tool]
#[cfg(any())]
async fn below() {}

fn main() {
    assert_eq!(support::names(), ["count"]);
    assert_eq!(
        support::call("count", serde_json::json!({"here": 1, "both": 2})),
        "1 2 count"
    );
}
