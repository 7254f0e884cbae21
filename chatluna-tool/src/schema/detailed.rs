//! What a schema says of a parameter's details.

use super::verdict;
use crate::arguments::{Bound, Details};
use serde_json::{Value, json};

/// The keywords of a length, by the type that they are for.
const LENGTHS: [(&str, &str, &str); 3] = [
    ("string", "minLength", "maxLength"),
    ("array", "minItems", "maxItems"),
    ("object", "minProperties", "maxProperties"),
];

/// The JSON types that a schema admits; `None` where it does not say.
pub(crate) fn types(schema: &Value) -> Option<Vec<&str>> {
    let own = verdict::types(schema.as_object()?);
    if !own.is_empty() {
        return Some(own);
    }
    let choices = schema.get("anyOf")?.as_array()?.iter().map(types);
    Some(choices.collect::<Option<Vec<_>>>()?.concat())
}

/// The keywords for what is enforced of values of this schema.
pub(super) fn enforced(details: &Details, schema: &Value) -> Vec<(&'static str, Value)> {
    let mut keywords = Vec::new();
    let mut add = |keyword, value: Option<Value>| {
        keywords.extend(value.map(|value| (keyword, value)));
    };
    if let Some(range) = details.range {
        add("minimum", range.min.map(Bound::to_json));
        add("maximum", range.max.map(Bound::to_json));
    }
    if let Some(length) = details.length {
        let types = types(schema);
        let admits = |name| types.as_ref().is_none_or(|types| types.contains(&name));
        for (_, min, max) in LENGTHS.into_iter().filter(|(name, ..)| admits(name)) {
            add(min, length.min.map(Value::from));
            add(max, length.max.map(Value::from));
        }
    }
    add("pattern", details.pattern.map(Value::from));
    keywords
}

/// Adds what the details say to the schema of a parameter.
pub(super) fn add(mut schema: Value, details: &Details) -> Value {
    if !schema.is_object() {
        schema = json!({});
    }
    for (keyword, value) in enforced(details, &schema) {
        if !is_tighter(keyword, &schema[keyword], &value) {
            schema[keyword] = value;
        }
    }
    if let Some(default) = details.default {
        schema["default"] = default.to_json();
    }
    if !details.examples.is_empty() {
        schema["examples"] = details.examples.iter().map(|example| example()).collect();
    }
    schema
}

/// Whether the bound that a type has by itself leaves less than another.
fn is_tighter(keyword: &str, own: &Value, other: &Value) -> bool {
    let bound = |value: &Value| value.as_number().and_then(Bound::of_json);
    match (bound(own), bound(other)) {
        (Some(own), Some(other)) if keyword.starts_with("min") => other.is_at_most(own),
        (Some(own), Some(other)) => own.is_at_most(other),
        _ => false,
    }
}
