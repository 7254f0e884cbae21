//! Objects whose keys are data.

use super::Keywords;
use super::kinds::kinds;
use serde_json::Value;

/// A map from any keys to values of one schema.
pub(super) struct MapType<'a> {
    /// Where the schema says so.
    pub(super) keyword: &'static str,
    pub(super) values: &'a Value,
    /// The regular expression of the keys.
    pub(super) pattern: Option<&'a str>,
}

/// The map that an object is; `None` for one with properties, or with none at all.
pub(super) fn of(schema: &Keywords) -> Option<MapType<'_>> {
    if !kinds(schema).contains(&"object") {
        return None;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    if properties.is_some_and(|properties| !properties.is_empty()) {
        return None;
    }
    let keyed = schema.get("patternProperties").and_then(Value::as_object);
    let keyed = keyed.filter(|patterns| !patterns.is_empty());
    match (schema.get("additionalProperties"), keyed) {
        (Some(Value::Bool(false)), Some(patterns)) if patterns.len() == 1 => {
            let (pattern, values) = patterns.iter().next()?;
            Some(MapType {
                keyword: "patternProperties",
                values,
                pattern: Some(pattern),
            })
        }
        (Some(Value::Bool(false)), _) | (_, Some(_)) => None,
        (Some(values), None) => Some(any_keys(values)),
        // `properties: {}` is a struct without fields.
        (None, None) if properties.is_none() => Some(any_keys(&Value::Bool(true))),
        (None, None) => None,
    }
}

fn any_keys(values: &Value) -> MapType<'_> {
    MapType {
        keyword: "additionalProperties",
        values,
        pattern: None,
    }
}
