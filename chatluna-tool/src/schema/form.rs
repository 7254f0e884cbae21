//! The canonical form of a schema that schemars made.

use serde_json::{Map, Value, json};

/// What says nothing of the values that are admitted.
pub(super) const ANNOTATIONS: [&str; 4] = ["description", "default", "examples", "deprecated"];

/// Keywords by which a schema says what it is of.
const TELLING: [&str; 7] = ["type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"];

/// All types: what a value of any type is of.
const ANY: [&str; 6] = ["string", "number", "boolean", "object", "array", "null"];

/// Calls `each` with every schema directly below.
pub(super) fn below(keywords: &mut Map<String, Value>, each: &mut impl FnMut(&mut Value)) {
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            (
                "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas",
                Value::Object(named),
            ) => named.values_mut().for_each(&mut *each),
            ("enum" | "const" | "default" | "examples" | "required", _) => {}
            (_, Value::Array(items)) => items.iter_mut().for_each(&mut *each),
            (_, value @ (Value::Object(_) | Value::Bool(_))) => each(value),
            _ => {}
        }
    }
}

/// Removes what no provider needs (names of Rust types and of integer widths) and gives every
/// choice and every property one form.
pub(super) fn clean(schema: &mut Value) {
    let Value::Object(keywords) = schema else {
        return;
    };
    for noise in ["$schema", "title"] {
        keywords.shift_remove(noise);
    }
    if is_rust_format(keywords.get("format")) {
        keywords.shift_remove("format");
    }
    for_properties(keywords, |property| {
        tell_type(property);
        point_within(property);
    });
    // Not every client knows that `true` is a schema.
    if keywords.get("items") == Some(&Value::Bool(true)) {
        keywords.insert("items".to_owned(), json!({}));
    }
    below(keywords, &mut clean);
    as_any_of(keywords);
    join_texts(keywords);
    sort(keywords);
}

/// schemars writes one type in several orders, by what the type is inside of.
fn sort(keywords: &mut Map<String, Value>) {
    let rank = |keyword: &str| match keyword {
        "description" => 0,
        "type" => 1,
        "properties" => 2,
        "required" => 4,
        "additionalProperties" => 5,
        "default" | "examples" => 6,
        "$defs" => 7,
        _ => 3,
    };
    let mut sorted: Vec<_> = std::mem::take(keywords).into_iter().collect();
    sorted.sort_by_key(|(keyword, _)| rank(keyword));
    keywords.extend(sorted);
}

fn is_rust_format(format: Option<&Value>) -> bool {
    let Some(Value::String(format)) = format else {
        return false;
    };
    let digits = format.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    matches!(format.as_str(), "float" | "double" | "uint" | "int")
        || matches!(digits, "8" | "16" | "32" | "64" | "128") && format.contains("int")
}

pub(super) fn for_properties(keywords: &mut Map<String, Value>, each: impl FnMut(&mut Value)) {
    if let Some(Value::Object(properties)) = keywords.get_mut("properties") {
        properties.values_mut().for_each(each);
    }
}

/// `anyOf` is what every provider reads. The variants of an enum exclude each other by
/// themselves, and the type has the last word on what a call gives.
fn as_any_of(keywords: &mut Map<String, Value>) {
    if keywords.contains_key("anyOf") {
        return;
    }
    if let Some(choices) = keywords.shift_remove("oneOf") {
        keywords.insert("anyOf".to_owned(), choices);
    }
}

/// Variants that are texts are one `enum`; what is said of each goes into the description.
fn join_texts(keywords: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = keywords.get("anyOf") else {
        return;
    };
    let (texts, mut others): (Vec<Value>, Vec<Value>) = choices
        .iter()
        .cloned()
        .partition(|choice| texts(choice).is_some());
    let Some(first) = choices.iter().position(|choice| texts.contains(choice)) else {
        return;
    };
    let joined = joined(&texts);
    if others.is_empty() {
        replace_choices(keywords, joined);
    } else if texts.len() > 1 {
        others.insert(first, joined.into());
        keywords.insert("anyOf".to_owned(), others.into());
    }
}

/// The texts of a choice that says nothing else of them.
fn texts(choice: &Value) -> Option<Vec<&Value>> {
    let keywords = choice.as_object()?;
    let has_only = |known: &[&str]| keywords.keys().all(|keyword| known.contains(&&**keyword));
    if keywords.get("type")? != "string" {
        return None;
    }
    match (keywords.get("const"), keywords.get("enum")) {
        (Some(only), None) if has_only(&["type", "const", "description"]) => Some(vec![only]),
        (None, Some(Value::Array(all))) if has_only(&["type", "enum"]) => {
            Some(all.iter().collect())
        }
        _ => None,
    }
}

fn joined(choices: &[Value]) -> Map<String, Value> {
    let values: Vec<&Value> = choices.iter().filter_map(texts).flatten().collect();
    let said = choices.iter().filter_map(|choice| {
        let name = choice.get("const")?.as_str()?;
        let words = choice.get("description")?.as_str()?.split_whitespace();
        Some(format!("- {name}: {}", words.collect::<Vec<_>>().join(" ")))
    });
    let said = said.collect::<Vec<_>>().join("\n");
    let mut joined = Map::new();
    if !said.is_empty() {
        joined.insert("description".to_owned(), said.into());
    }
    joined.insert("type".to_owned(), "string".into());
    joined.insert("enum".to_owned(), json!(values));
    joined
}

/// Puts one schema in the place of a choice that was all that a schema said.
fn replace_choices(keywords: &mut Map<String, Value>, one: Map<String, Value>) {
    let is_words = |keyword: &String| keyword == "anyOf" || ANNOTATIONS.contains(&&**keyword);
    if !keywords.keys().all(is_words) {
        return;
    }
    keywords.shift_remove("anyOf");
    for (keyword, value) in one {
        match (keywords.get_mut(&keyword), &value) {
            (Some(Value::String(own)), Value::String(more)) => {
                own.push('\n');
                own.push_str(more);
            }
            _ => {
                keywords.insert(keyword, value);
            }
        }
    }
}

/// Some clients drop every tool of a server for one property without a type.
pub(super) fn tell_type(property: &mut Value) {
    if *property == true {
        *property = json!({});
    }
    let Value::Object(keywords) = property else {
        return;
    };
    let mut telling = TELLING.iter();
    if !telling.any(|keyword| keywords.contains_key(*keyword)) {
        keywords.insert("type".to_owned(), json!(ANY));
    }
}

/// A property that is a reference, as a choice of one: a `$ref` alone is no type to some clients.
pub(super) fn point_within(property: &mut Value) {
    let Value::Object(keywords) = property else {
        return;
    };
    if keywords.contains_key("anyOf") {
        return;
    }
    if let Some(reference) = keywords.shift_remove("$ref") {
        keywords.insert("anyOf".to_owned(), json!([{"$ref": reference}]));
    }
}
