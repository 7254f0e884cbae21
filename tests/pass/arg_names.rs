//! `rename` and `alias`: what the model calls an argument; hooks and the function keep its own name.
#![deny(warnings)]

mod support;

use chatluna_tool::{Permission, tool};
use serde_json::json;

/// Greets.
#[tool(permission = |args| Permission::new("greet").target(&args.name))]
async fn greet(
    #[arg(rename = "full-name", description = "As in the passport")]
    #[serde(alias = "name", alias = "who")]
    name: String,
    #[serde(rename = "type")] kind: Option<String>,
) -> String {
    format!("{name} {kind:?}")
}

fn main() {
    for name in ["full-name", "name", "who"] {
        let arguments = json!({name: "Li", "type": "short"});
        assert_eq!(support::call("greet", arguments), "Li Some(\"short\")");
    }
    let twice = support::call("greet", json!({"full-name": "Li", "who": "Wu"}));
    assert!(twice.contains("given twice"), "{twice}");
    let properties = json!({
        "full-name": {"description": "As in the passport", "type": "string"},
        "type": {"type": "string"},
    });
    assert_eq!(support::definition("greet").parameters()["properties"], properties);
}
