//! Own derives, `#[tool_type]`, and types through an alias.
#![deny(warnings)]

mod support;

use chatluna_tool::{tool, tool_type};
use std::collections::HashMap;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
struct Own {
    city: String,
}

/// A tree.
#[tool_type]
#[derive(Clone, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tree<T: Default> {
    value: T,
    #[serde(default)]
    children: Vec<Tree<T>>,
}

#[tool_type]
enum Unit {
    Celsius,
    #[serde(rename = "f")]
    Fahrenheit,
}

type Maybe = Option<u8>;

/// Takes everything.
#[tool]
async fn everything(
    own: Own,
    tree: Tree<u8>,
    unit: Unit,
    map: HashMap<String, Vec<(u8, char)>>,
    array: [u8; 2],
    maybe: Maybe,
    unit_type: (),
    nested: Option<Unit>,
) -> String {
    let _ = (map, unit_type, nested);
    let unit = matches!(unit, Unit::Fahrenheit) && !matches!(unit, Unit::Celsius);
    format!(
        "{} {} {unit} {array:?} {maybe:?}",
        own.city, tree.children[0].value
    )
}

fn main() {
    let arguments = serde_json::json!({
        "own": {"CITY": "Rome"}, "tree": {"value": 1, "children": [{"value": 2}]},
        "unit": "f", "map": {}, "array": [1, 2], "unit_type": null,
    });
    assert_eq!(
        support::call("everything", arguments),
        "Rome 2 true [1, 2] None"
    );
}
