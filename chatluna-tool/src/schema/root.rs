//! The schema of a type that is all the arguments of a tool.

use serde_json::{Map, Value, json};

const CHOICES: [&str; 2] = ["anyOf", "oneOf"];

/// An object that rejects unknown keys.
///
/// In a choice each branch rejects them: a closed object beside the choice would refuse them all.
/// The schema of a type that is no object stays what it is, for the start-up to refuse.
pub(super) fn rooted(schema: Value) -> Value {
    let root = match &schema {
        Value::Object(keywords) => keywords.clone(),
        // `true`, the schema of anything, is one of any object.
        other => Map::from_iter([("additionalProperties".to_owned(), other.clone())]),
    };
    object(root).unwrap_or(schema)
}

fn object(mut root: Map<String, Value>) -> Option<Value> {
    if root.contains_key("enum") {
        let variants =
            json!({"type": root.shift_remove("type"), "enum": root.shift_remove("enum")});
        root.insert("oneOf".to_owned(), json!([variants]));
    }
    if !may_be_object(&root) {
        return None;
    }
    for keyword in CHOICES {
        choose(&mut root, keyword)?;
    }
    root.insert("type".to_owned(), "object".into());
    root.entry("properties").or_insert_with(|| json!({}));
    if !is_composed(&root) {
        root.entry("additionalProperties").or_insert(false.into());
    }
    Some(root.into())
}

fn may_be_object(keywords: &Map<String, Value>) -> bool {
    match keywords.get("type") {
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        name => name.is_none_or(|name| name == "object"),
    }
}

fn is_composed(keywords: &Map<String, Value>) -> bool {
    ["allOf", "anyOf", "oneOf", "$ref"]
        .iter()
        .any(|keyword| keywords.contains_key(*keyword))
}

/// Leaves of a choice what can be an object; `None` if nothing can.
fn choose(root: &mut Map<String, Value>, keyword: &str) -> Option<()> {
    let Some(Value::Array(choices)) = root.shift_remove(keyword) else {
        return Some(());
    };
    let mut branches: Vec<Value> = choices.into_iter().flat_map(branches).collect();
    let has_properties = root.contains_key("properties");
    match &mut branches[..] {
        [] => return None,
        [Value::Object(only)] if !has_properties => {
            for (keyword, value) in std::mem::take(only) {
                root.entry(keyword).or_insert(value);
            }
        }
        _ => {
            if !has_properties {
                branches.iter_mut().for_each(close);
            }
            root.insert(keyword.to_owned(), branches.into());
        }
    }
    Some(())
}

/// The objects of one choice. serde reads a variant without data, a text elsewhere, from
/// `{"Variant": null}` as well.
fn branches(choice: Value) -> Vec<Value> {
    let Value::Object(mut keywords) = choice else {
        return vec![choice];
    };
    if keywords.get("type").is_some_and(|name| name == "string") {
        let named = |name: &Value| unit_variant(name, keywords.get("description"));
        let texts = keywords.get("enum").and_then(Value::as_array);
        let texts = texts.into_iter().flatten().chain(keywords.get("const"));
        return texts.filter_map(named).collect();
    }
    if !may_be_object(&keywords) {
        return Vec::new();
    }
    let mut only = keywords.iter_mut();
    if let (Some((keyword, Value::Array(inner))), None) = (only.next(), only.next())
        && CHOICES.contains(&&**keyword)
    {
        return std::mem::take(inner)
            .into_iter()
            .flat_map(branches)
            .collect();
    }
    if keywords.contains_key("type") {
        keywords.insert("type".to_owned(), "object".into());
    }
    vec![keywords.into()]
}

fn unit_variant(name: &Value, description: Option<&Value>) -> Option<Value> {
    let name = name.as_str()?;
    let mut variant = json!({
        "type": "object",
        "properties": {name: {"type": "null"}},
        "required": [name],
    });
    if let Some(description) = description {
        variant["description"] = description.clone();
    }
    Some(variant)
}

fn close(branch: &mut Value) {
    if let Value::Object(branch) = branch
        && branch.contains_key("type")
        && !is_composed(branch)
    {
        branch.entry("additionalProperties").or_insert(false.into());
    }
}
