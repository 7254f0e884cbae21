//! A schema and a value in a few words.

use super::verdict::{Judge, types};
use crate::arguments::bounded;
use serde_json::{Map, Value};

/// The most values or choices that are listed.
const MAX_LISTED: usize = 20;
/// The most characters of a value that are shown.
const MAX_SHOWN: usize = 60;

/// What a schema wants: `an integer`, `one of "a", "b"`, `a string or an array of strings`.
pub(super) fn expected(judge: Judge<'_>, schema: &Value) -> String {
    let schema = judge.resolved(schema);
    let Some(keywords) = schema.as_object() else {
        return "nothing".to_owned();
    };
    if let Some(constant) = keywords.get("const") {
        return constant.to_string();
    }
    if let Some(Value::Array(values)) = keywords.get("enum") {
        return one_of(values.iter().map(Value::to_string).collect());
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(choices)) = keywords.get(keyword) {
            return choice(judge, choices);
        }
    }
    let types = types(keywords);
    let names = types.iter().map(|name| kind(judge, keywords, name));
    match &names.collect::<Vec<_>>()[..] {
        [] => "another value".to_owned(),
        names => names.join(" or "),
    }
}

/// Constants are listed; anything else is joined.
fn choice(judge: Judge<'_>, choices: &[Value]) -> String {
    let constants = choices
        .iter()
        .map(|choice| judge.resolved(choice).get("const"));
    match constants.collect::<Option<Vec<_>>>() {
        Some(values) => one_of(values.into_iter().map(Value::to_string).collect()),
        None => {
            let mut words: Vec<String> = Vec::new();
            for choice in choices.iter().take(MAX_LISTED) {
                let word = short(judge, choice);
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            words.join(" or ")
        }
    }
}

/// One level of a choice: a recursive type has no end.
fn short(judge: Judge<'_>, choice: &Value) -> String {
    let choice = judge.resolved(choice);
    let keywords = choice.as_object().cloned().unwrap_or_default();
    if ["anyOf", "oneOf"]
        .iter()
        .any(|key| keywords.contains_key(*key))
    {
        return "one of several choices".to_owned();
    }
    let tag = keywords.get("properties").and_then(Value::as_object);
    let tag = tag.into_iter().flatten().find_map(|(name, schema)| {
        let constant = schema.get("const")?;
        Some(format!("an object with `{name}`: {constant}"))
    });
    let required = keywords.get("required").and_then(Value::as_array);
    let variant = || match &required?[..] {
        [Value::String(only)] => Some(format!("an object with `{only}`")),
        _ => None,
    };
    tag.or_else(variant)
        .unwrap_or_else(|| expected(judge, choice))
}

fn one_of(values: Vec<String>) -> String {
    let more = values.len().saturating_sub(MAX_LISTED);
    let shown = values[..values.len() - more].join(", ");
    match (values.len(), more) {
        (1, _) => shown,
        (_, 0) => format!("one of {shown}"),
        _ => format!("one of {shown} and {more} more"),
    }
}

fn kind(judge: Judge<'_>, keywords: &Map<String, Value>, name: &str) -> String {
    match name {
        "integer" => "an integer".to_owned(),
        "number" => "a number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "string" => "a string".to_owned(),
        "null" => "null".to_owned(),
        "object" => "an object".to_owned(),
        "array" => match keywords.get("items").map(|items| item(judge, items)) {
            Some(Some(items)) => format!("an array of {items}"),
            _ => "an array".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn item(judge: Judge<'_>, items: &Value) -> Option<&'static str> {
    let keywords = judge.resolved(items).as_object()?;
    match types(keywords)[..] {
        ["integer"] => Some("integers"),
        ["number"] => Some("numbers"),
        ["boolean"] => Some("booleans"),
        ["string"] => Some("strings"),
        ["object"] => Some("objects"),
        ["array"] => Some("arrays"),
        _ => None,
    }
}

/// What came: a short value itself, of a long one its kind and its beginning.
pub(super) fn got(value: &Value) -> String {
    let text = value.to_string();
    let is_long = text.chars().nth(MAX_SHOWN).is_some();
    match value {
        Value::Array(items) if is_long => format!("an array of {} items", items.len()),
        Value::Object(fields) if is_long => format!("an object with {} keys", fields.len()),
        _ => bounded(text, MAX_SHOWN),
    }
}
