//! `mut` parameters, and patterns for what the model does not see.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, tool};

/// Appends.
#[tool]
async fn append(mut text: String, mut times: u8, mut call: &CallContext) -> String {
    let again = call;
    call = again;
    while times > 0 {
        text.push_str(call.name());
        times -= 1;
    }
    text
}

/// Ignores.
#[tool]
fn ignore(_: &CallContext, _unused: Option<u8>) {}

fn main() {
    assert_eq!(
        support::call("append", serde_json::json!({"text": "-", "times": 2})),
        "-appendappend"
    );
    assert_eq!(support::call("ignore", serde_json::json!({})), "done");
}
