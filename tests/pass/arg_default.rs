//! `default`: of the type, a literal, text, a constant, any expression, serde's way; `null` is absent.
#![deny(warnings)]

mod support;

use chatluna_tool::{tool, tool_type};
use serde_json::json;
use std::sync::atomic::{AtomicU8, Ordering};

const UNIT: Unit = Unit::Celsius;
static NEXT: AtomicU8 = AtomicU8::new(1);

/// Of a temperature
#[derive(Debug, Clone, Copy, PartialEq)]
#[tool_type]
enum Unit {
    Celsius,
    Kelvin,
}

/// Lists its arguments.
#[tool]
async fn list(
    required: bool,
    #[arg(default)] count: u32,
    #[arg(default = -3)] offset: i64,
    #[arg(default = 0.5)] share: f64,
    #[arg(default = true)] sorted: bool,
    #[arg(default = "en")] language: &str,
    #[arg(default = "name")] order: String,
    #[arg(default = UNIT)] unit: Unit,
    #[arg(default = NEXT.fetch_add(1, Ordering::Relaxed))] id: u8,
    #[arg(default = vec!["a".to_owned()])] tags: &[String],
    #[arg(default = Some(7))] limit: Option<u8>,
    #[serde(default = "seven")] seven: u8,
    #[serde(default)] none: Option<u8>,
) -> String {
    format!(
        "{required} {count} {offset} {share} {sorted} {language} {order} {unit:?} {id} {tags:?} {limit:?} {seven} {none:?}"
    )
}

fn seven() -> u8 {
    7
}

fn main() {
    let defaults = "0 -3 0.5 true en name Celsius";
    let rest = r#"["a"] Some(7) 7 None"#;
    let left_out = support::call("list", json!({"required": true}));
    assert_eq!(left_out, format!("true {defaults} 1 {rest}"));
    let nulls = json!({
        "required": true, "count": null, "language": null, "unit": null, "id": null, "tags": null, "limit": null
    });
    assert_eq!(support::call("list", nulls), format!("true {defaults} 2 {rest}"));
    let given = json!({"required": true, "count": 1, "language": "zh", "unit": "Kelvin", "id": 9, "limit": 1});
    let given = support::call("list", given);
    assert_eq!(given, r#"true 1 -3 0.5 true zh name Kelvin 9 ["a"] Some(1) 7 None"#);
    let schema = support::definition("list");
    let schema = schema.parameters();
    assert_eq!(schema["required"], json!(["required"]));
    let properties = &schema["properties"];
    assert_eq!(properties["count"], json!({"type": "integer", "minimum": 0}));
    assert_eq!(properties["offset"], json!({"type": "integer", "default": -3}));
    assert_eq!(properties["share"], json!({"type": "number", "default": 0.5}));
    assert_eq!(properties["sorted"], json!({"type": "boolean", "default": true}));
    assert_eq!(properties["language"], json!({"type": "string", "default": "en"}));
}
