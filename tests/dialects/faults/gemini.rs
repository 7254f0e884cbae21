//! Gemini.

use serde_json::Value;

const KNOWN: &str = "description type properties required items enum anyOf nullable pattern format \
     minimum maximum minLength maxLength minItems maxItems minProperties maxProperties";

const TYPES: &str = "string integer number boolean array object";

pub fn each(schema: &Value, faults: &mut Vec<String>) {
    super::unknown(schema, KNOWN, faults);
    super::incomplete(schema, faults);
    super::untyped(schema, faults);
    super::looks_around(schema, faults);
    super::property_names(schema, is_name, faults);
    one_type(schema, faults);
    texts(schema, faults);
    if schema.get("anyOf").is_some() {
        super::unknown(schema, "anyOf description nullable", faults);
    }
    let names = schema["required"].as_array().into_iter().flatten();
    for name in names.filter_map(Value::as_str) {
        if schema["properties"].get(name).is_none() {
            faults.push(format!("{name:?} is required and no property"));
        }
    }
}

fn one_type(schema: &Value, faults: &mut Vec<String>) {
    let Some(kind) = schema.get("type") else {
        return;
    };
    if !TYPES.split(' ').any(|known| kind == known) {
        faults.push(format!("the type {kind}"));
    }
}

fn texts(schema: &Value, faults: &mut Vec<String>) {
    if let Some(values) = schema.get("enum") {
        let mut each = values.as_array().into_iter().flatten();
        let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
        if schema["type"] != "string" || !each.all(is_text) {
            faults.push(format!("an `enum` of other than texts: {values}"));
        }
    }
    if schema
        .get("format")
        .is_some_and(|format| format != "date-time")
    {
        faults.push(format!("the format {}", schema["format"]));
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |c: char| matches!(c, 'a'..='z' | 'A'..='Z' | '_' | '0'..='9');
    (1..=64).contains(&name.len())
        && name.chars().all(is_letter)
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
