//! `traits(key = ..)`: an argument, a closure that may borrow, a function.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;
use serde_json::json;

/// Books.
#[tool(traits(parallel, key = room))]
async fn book(room: u8) -> u8 {
    room
}

/// Writes.
#[tool(traits(parallel, key = |args| &args.r#type))]
async fn write(r#type: String) -> String {
    r#type
}

/// Reads.
#[tool(args = ReadArgs, traits(parallel, key = keys::of))]
async fn read(path: &str, line: u32) -> String {
    format!("{path}:{line}")
}

mod keys {
    pub(crate) fn of(args: &super::ReadArgs) -> String {
        format!("{}:{}", args.path, args.line)
    }
}

/// Runs.
#[tool(traits(parallel, key = |_| "the one and only"))]
async fn run() {}

fn main() {
    assert_eq!(support::call("book", json!({"room": 1})), "1");
    assert_eq!(support::call("write", json!({"type": "a"})), "a");
    assert_eq!(support::call("read", json!({"path": "a", "line": 1})), "a:1");
    assert_eq!(support::call("run", json!({})), "done");
}
