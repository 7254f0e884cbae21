//! An attribute macro above makes another function of it: the tool is what comes out.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, tool};

/// Waits.
#[tokio::main(flavor = "current_thread")]
#[tool]
async fn wait(turns: u8, call: &CallContext) -> String {
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
    format!("{turns} {}", call.name())
}

fn main() {
    let arguments = serde_json::json!({"turns": 2});
    assert_eq!(support::call("wait", arguments), "2 wait");
}
