//! The schema of a struct whose fields are arguments themselves.

use crate::arguments::Parameter;
use crate::guard::guard;
use schemars::SchemaGenerator;
use serde_json::{Map, Value};

/// What a flattened parameter adds to the root.
pub(crate) struct Flat {
    pub(crate) properties: Map<String, Value>,
    pub(super) required: Vec<Value>,
    /// What the type says of keys that it does not name.
    pub(super) additional: Value,
}

impl Flat {
    /// `None` for a type that does not say its keys, as a struct or a map would.
    pub(super) fn of(row: &Parameter, generator: &mut SchemaGenerator) -> Option<Self> {
        let mut schema = Value::from((row.schema)(generator));
        if (row.optional)() {
            super::forbid_null(&mut schema);
        }
        let schema = resolved(schema, generator);
        let get = |keyword| schema.get(keyword).cloned();
        let is_choice = ["anyOf", "oneOf", "allOf"]
            .map(get)
            .iter()
            .any(Option::is_some);
        if is_choice || get("type")? != "object" {
            return None;
        }
        let additional = get("additionalProperties").unwrap_or(Value::Bool(false));
        let properties = match get("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        let required = match get("required") {
            Some(Value::Array(names)) if !(row.optional)() => names,
            _ => Vec::new(),
        };
        Some(Self {
            properties,
            required,
            additional,
        })
    }
}

/// What a flattened parameter brings; `None` also when its `JsonSchema` panics.
pub(crate) fn flat(row: &Parameter) -> Option<Flat> {
    guard(|| Flat::of(row, &mut super::settings().into_generator())).unwrap_or_default()
}

/// The schema behind a `$ref`.
fn resolved(schema: Value, generator: &SchemaGenerator) -> Value {
    let path = schema.get("$ref").and_then(Value::as_str);
    let name = path.and_then(|path| path.strip_prefix("#/$defs/"));
    let definition = name.and_then(|name| generator.definitions().get(name));
    definition.cloned().unwrap_or(schema)
}
