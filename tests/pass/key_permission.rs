//! `permission`: a closure, a path, and a function called `hook`.
#![deny(warnings)]

mod support;

use chatluna_tool::{Permission, tool};

/// Deploys.
#[tool(permission = |args| Permission::new("deploy:run").target(&args.env).target(args.r#type.as_str()))]
async fn deploy(env: String, r#type: String) -> String {
    env + &r#type
}

/// Reads.
#[tool(args = ReadArgs, permission = hook)]
async fn read(path: String) -> String {
    path
}

fn hook(args: &ReadArgs) -> Permission {
    Permission::new("fs:read").target(&args.path)
}

/// Takes no arguments.
#[tool(permission = |_| Permission::new("clock:read"))]
async fn clock() {}

fn main() {
    assert_eq!(
        support::call("deploy", serde_json::json!({"env": "a", "type": "b"})),
        "ab"
    );
    assert_eq!(support::call("read", serde_json::json!({"path": "a"})), "a");
}
