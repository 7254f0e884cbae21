//! Raw identifiers: the model sees them without `r#`.
#![deny(warnings)]

mod support;

use chatluna_tool::{Permission, tool};

/// Moves.
#[tool(permission = |args| Permission::new("move").target(&args.r#type))]
async fn r#move(r#type: String, r#where: Option<u8>) -> String {
    format!("{type} {where:?}", r#type = r#type, r#where = r#where)
}

/// Moves.
#[tool(args = r#struct)]
fn r#fn(r#in: u8) -> u8 {
    r#in
}

fn main() {
    let arguments = serde_json::json!({"type": "car", "where": 4});
    assert_eq!(support::call("move", arguments), "car Some(4)");
    assert_eq!(support::call("fn", serde_json::json!({"in": 1})), "1");
    let _ = |arguments: &r#struct| arguments.r#in;
}
