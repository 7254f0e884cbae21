//! `flatten`: the fields of a struct become arguments; a struct alone is the whole object.
#![deny(warnings)]

mod support;

use chatluna_tool::{tool, tool_type};
use serde_json::json;

/// A lamp
#[tool_type]
struct Lamp {
    /// Whether it shines
    on: bool,
    #[serde(default)]
    brightness: u8,
}

/// Switches.
#[tool]
async fn switch(room: String, #[arg(flatten)] lamp: Lamp, note: Option<String>) -> String {
    format!("{room} {} {} {note:?}", lamp.on, lamp.brightness)
}

/// Sets.
#[tool]
async fn set(#[arg(flatten)] lamp: Wrapped) -> bool {
    lamp.on
}

type Wrapped = Lamp;

fn main() {
    let whole = json!({"note": "x", "on": true, "room": "hall", "brightness": 3});
    assert_eq!(support::call("switch", whole), "hall true 3 Some(\"x\")");
    assert_eq!(support::call("set", json!({"on": true})), "true");
    let unknown = support::call("switch", json!({"room": "hall", "on": true, "color": 1}));
    assert!(unknown.contains("color"), "{unknown}");
    let schema = json!({
        "type": "object",
        "properties": {
            "room": {"type": "string"},
            "on": {"description": "Whether it shines", "type": "boolean"},
            "brightness": {"type": "integer", "minimum": 0, "maximum": 255, "default": 0},
            "note": {"type": "string"},
        },
        "required": ["room", "on"],
        "additionalProperties": false,
    });
    assert_eq!(support::definition("switch").parameters(), &schema);
}
