//! Tools, arguments and hooks with the words that generated code uses itself.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, Permission, tool};

/// Is a tool.
#[tool(permission = input, visibility = pointer)]
async fn result(result: Result<u8, u8>) -> Result<u8, u8> {
    result
}

fn input<T>(_input: &T) -> Permission {
    Permission::new("result")
}

fn pointer<T>(_session: &T) -> bool {
    true
}

/// Is a tool.
#[tool(permission = hook)]
async fn call(call: String, context: &CallContext) -> String {
    call + context.name()
}

fn hook<T>(_: &T) -> Permission {
    Permission::new("call")
}

/// Is a tool.
#[tool]
async fn args(args: u8, arguments: u8, slot_0: u8, input: u8, hook: u8, call: u8) -> u8 {
    args + arguments + slot_0 + input + hook + call
}

/// Is a tool.
#[tool]
fn arguments(input: u8, call: &CallContext) -> String {
    format!("{input} {}", call.name())
}

/// Is a tool.
#[tool(name = "input")]
async fn slot_0() -> &'static str {
    "input"
}

/// Is a tool.
#[tool]
async fn prepared(parameter: u8, filled: u8, output: u8) -> u8 {
    parameter + filled + output
}

fn main() {
    assert_eq!(
        support::call("result", serde_json::json!({"result": {"Ok": 1}})),
        "1"
    );
    assert_eq!(
        support::call("call", serde_json::json!({"call": "a "})),
        "a call"
    );
    assert_eq!(
        support::call("arguments", serde_json::json!({"input": 1})),
        "1 arguments"
    );
    assert_eq!(support::call("input", serde_json::json!({})), "input");
}
