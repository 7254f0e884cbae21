//! What each provider refuses, written from its rules and not from what `lower` does.

mod anthropic;
mod gemini;
mod openai;
mod strict_sizes;

use chatluna_tool::provider::Dialect;
use serde_json::Value;

/// What is wrong with a schema that is sent to a provider.
pub fn faults(schema: &Value, dialect: Dialect) -> Vec<String> {
    let mut faults = Vec::new();
    root(schema, &mut faults);
    visit(schema, String::new(), &mut |place, each| {
        let mut found = Vec::new();
        common(schema, each, &mut found);
        match dialect {
            Dialect::OpenAi => openai::plain(each, &mut found),
            Dialect::OpenAiStrict => openai::strict(each, place.is_empty(), &mut found),
            Dialect::Anthropic => anthropic::plain(each, &mut found),
            Dialect::AnthropicStrict => anthropic::strict(each, place.is_empty(), &mut found),
            Dialect::Gemini => gemini::each(each, &mut found),
            _ => {}
        }
        faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
    });
    match dialect {
        Dialect::Mcp => {}
        _ => no_choice_at_root(schema, &mut faults),
    }
    match dialect {
        Dialect::OpenAiStrict => strict_sizes::openai(schema, &mut faults),
        Dialect::AnthropicStrict => {
            strict_sizes::anthropic(schema, &mut faults);
            no_recursion(schema, schema, &mut Vec::new(), &mut faults);
        }
        _ => {}
    }
    faults
}

fn root(schema: &Value, faults: &mut Vec<String>) {
    if schema["type"] != "object" || !schema["properties"].is_object() {
        faults.push("the root is no object with properties".to_owned());
    }
}

fn no_choice_at_root(schema: &Value, faults: &mut Vec<String>) {
    for keyword in ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"] {
        if schema.get(keyword).is_some() {
            faults.push(format!("`{keyword}` at the root"));
        }
    }
}

/// What nobody wants, and references that lead nowhere.
fn common(root: &Value, schema: &Value, faults: &mut Vec<String>) {
    for keyword in ["$schema", "title"] {
        if schema.get(keyword).is_some() {
            faults.push(format!("`{keyword}`"));
        }
    }
    let format = schema["format"].as_str().unwrap_or_default();
    if format.starts_with("uint") || format.starts_with("int") || format == "double" {
        faults.push(format!("the format `{format}`"));
    }
    if let Some(reference) = schema["$ref"].as_str()
        && target(root, reference).is_none()
    {
        faults.push(format!("`{reference}` leads nowhere"));
    }
}

/// The schema behind a reference to a definition.
pub fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    if reference == "#" {
        return Some(root);
    }
    // The one name among the definitions of the tests that a URI cannot hold as it is.
    let name = reference
        .strip_prefix("#/$defs/")?
        .replace("%E5%9C%B0%E7%82%B9", "地点");
    root["$defs"].get(&name)
}

/// Every schema of a document, with its place.
pub fn visit<'a>(schema: &'a Value, place: String, each: &mut dyn FnMut(&str, &'a Value)) {
    each(&place, schema);
    for keyword in ["items", "additionalProperties", "not"] {
        if let Some(below) = schema.get(keyword).filter(|below| below.is_object()) {
            visit(below, format!("{place}/{keyword}"), each);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for (index, below) in schema[keyword].as_array().into_iter().flatten().enumerate() {
            visit(below, format!("{place}/{keyword}/{index}"), each);
        }
    }
    for keyword in ["properties", "patternProperties", "$defs"] {
        for (name, below) in schema[keyword].as_object().into_iter().flatten() {
            visit(below, format!("{place}/{keyword}/{name}"), each);
        }
    }
}

fn no_recursion<'a>(
    root: &'a Value,
    schema: &'a Value,
    open: &mut Vec<&'a str>,
    faults: &mut Vec<String>,
) {
    visit(schema, String::new(), &mut |place, each| {
        let Some(reference) = each["$ref"].as_str().filter(|_| faults.is_empty()) else {
            return;
        };
        if open.contains(&reference) || reference == "#" {
            faults.push(format!("{place}: `{reference}` is recursive"));
        } else if let Some(target) = target(root, reference) {
            open.push(reference);
            no_recursion(root, target, open, faults);
            open.pop();
        }
    });
}

/// Keywords that are not in the list of those that are taken.
fn unknown(schema: &Value, known: &str, faults: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        faults.push(format!("{schema} is no object"));
        return;
    };
    for keyword in keywords.keys() {
        if !known.split_whitespace().any(|each| each == keyword) {
            faults.push(format!("`{keyword}` is not taken"));
        }
    }
}

/// The types that a schema names.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(only) => vec![only],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether every object is closed and every type is complete.
fn incomplete(schema: &Value, faults: &mut Vec<String>) {
    if types(schema).contains(&"array") && !schema["items"].is_object() {
        faults.push("an array without `items`".to_owned());
    }
    if types(schema).contains(&"object") && !schema["properties"].is_object() {
        faults.push("an object without `properties`".to_owned());
    }
}

fn open(schema: &Value, faults: &mut Vec<String>) {
    if types(schema).contains(&"object") && schema["additionalProperties"] != false {
        faults.push("`additionalProperties` is not false".to_owned());
    }
}

fn untyped(schema: &Value, faults: &mut Vec<String>) {
    let tells = |keyword: &&str| schema.get(*keyword).is_some();
    if ["type", "anyOf", "$ref"]
        .iter()
        .filter(|keyword| tells(keyword))
        .count()
        != 1
    {
        faults.push("not one of `type`, `anyOf` and `$ref`".to_owned());
    }
}

fn looks_around(schema: &Value, faults: &mut Vec<String>) {
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    if pattern.contains("(?=") || pattern.contains("(?!") || pattern.contains("(?<") {
        faults.push(format!("the pattern `{pattern}` looks around"));
    }
}

fn property_names(schema: &Value, is_taken: fn(&str) -> bool, faults: &mut Vec<String>) {
    for (name, _) in schema["properties"].as_object().into_iter().flatten() {
        if !is_taken(name) {
            faults.push(format!("the property name {name:?}"));
        }
    }
}
