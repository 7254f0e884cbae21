//! The two ways to say that a value may be `null`.

use serde_json::{Value, json};

/// Gemini's way: a mark.
pub(super) fn marked(mut schema: Value, is_nullable: bool) -> Value {
    if is_nullable && schema.is_object() {
        schema["nullable"] = true.into();
    }
    schema
}

/// OpenAI's way for what may be left out: a union with null.
pub(super) fn or_null(mut schema: Value) -> Value {
    if admits_null(&schema) {
        return schema;
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.push(json!({"type": "null"}));
        return schema;
    }
    if schema.get("type").is_none() || schema.get("const").is_some() {
        return beside_null(schema);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    let mut kinds = match schema["type"].take() {
        Value::Array(kinds) => kinds,
        only => vec![only],
    };
    kinds.push("null".into());
    schema["type"] = kinds.into();
    schema
}

fn admits_null(schema: &Value) -> bool {
    let is_null = |kind: &Value| kind == "null";
    let choices = schema.get("anyOf").and_then(Value::as_array);
    is_null(&schema["type"])
        || schema["type"]
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(is_null))
        || choices.is_some_and(|choices| choices.iter().any(admits_null))
}

/// A choice between a schema and null; the description stays outside.
fn beside_null(mut schema: Value) -> Value {
    let description = schema
        .as_object_mut()
        .and_then(|schema| schema.shift_remove("description"));
    match description {
        Some(said) => json!({"description": said, "anyOf": [schema, {"type": "null"}]}),
        None => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}
