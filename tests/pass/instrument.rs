//! `#[instrument]` above and below: the span is made, and the tool stays one.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, Permission, ToolError, tool};
use tracing::instrument;

/// Is instrumented first.
#[instrument(skip_all, fields(city), ret)]
#[tool(args = AboveArgs, permission = |args| Permission::new("city").target(&args.city))]
async fn above(city: &str, call: &CallContext) -> String {
    tokio::task::yield_now().await;
    format!("{city} {}", call.name())
}

/// Is instrumented last.
#[tool(traits(effect = "read"))]
#[instrument(level = "debug", skip(call), err)]
async fn below(mut days: u8, call: &CallContext) -> Result<u8, ToolError> {
    days += 1;
    if call.name() == "below" {
        Ok(days)
    } else {
        Err(ToolError::new("renamed"))
    }
}

/// Runs on a thread.
#[instrument]
#[tool]
fn above_blocking(city: String) -> String {
    city
}

/// Runs on a thread.
#[tool]
#[instrument]
fn below_blocking(city: String) -> String {
    city
}

fn main() {
    let arguments = || serde_json::json!({"city": "Rome"});
    assert_eq!(support::call("above", arguments()), "Rome above");
    assert_eq!(support::call("below", serde_json::json!({"days": 1})), "2");
    assert_eq!(support::call("above_blocking", arguments()), "Rome");
    assert_eq!(support::call("below_blocking", arguments()), "Rome");
}
