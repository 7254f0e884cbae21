//! Where schemas are inside of a schema.

use super::Keywords;
use crate::pointer::step;
use serde_json::Value;

/// How a keyword holds the schemas that it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    One,
    List,
    Named,
}

/// How the value of a keyword holds schemas; `None` for any other value.
pub(super) fn holds(keyword: &str, value: &Value) -> Option<Holds> {
    match (keyword, value) {
        // Older drafts list the items of a tuple there.
        ("items" | "anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(_)) => {
            Some(Holds::List)
        }
        (
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "contains"
            | "else"
            | "if"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties",
            _,
        ) => Some(Holds::One),
        (
            "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties",
            Value::Object(_),
        ) => Some(Holds::Named),
        _ => None,
    }
}

/// The schemas directly below a schema, with where they are from there.
pub(super) fn subschemas(schema: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let place = format!("/{keyword}");
        match (holds(keyword, value), value) {
            (Some(Holds::One), _) => found.push((place, value)),
            (Some(_), Value::Array(list)) => {
                found.extend(
                    list.iter()
                        .enumerate()
                        .map(|(i, each)| (step(&place, &i.to_string()), each)),
                );
            }
            (Some(_), Value::Object(named)) => {
                found.extend(named.iter().map(|(name, each)| (step(&place, name), each)));
            }
            _ => {}
        }
    }
    found
}

/// Every schema below a schema, and itself.
pub(super) fn all<'a>(schema: &'a Value, visit: &mut impl FnMut(&'a Value)) {
    visit(schema);
    for (_, below) in subschemas(schema) {
        all(below, visit);
    }
}

/// The keywords with every schema directly below replaced by what `each` makes of it.
pub(super) fn rebuilt(
    schema: &Keywords,
    at: &str,
    each: &mut impl FnMut(&Value, &str) -> Value,
) -> Keywords {
    let rebuilt = schema.iter().map(|(keyword, value)| {
        let place = step(at, keyword);
        let value = match (holds(keyword, value), value) {
            (Some(Holds::One), _) => each(value, &place),
            (Some(_), Value::Array(list)) => (0..)
                .zip(list)
                .map(|(index, below)| each(below, &format!("{place}/{index}")))
                .collect(),
            (Some(_), Value::Object(named)) => named
                .iter()
                .map(|(name, below)| (name.clone(), each(below, &step(&place, name))))
                .collect::<Keywords>()
                .into(),
            _ => value.clone(),
        };
        (keyword.clone(), value)
    });
    rebuilt.collect()
}
