//! A type within itself is a definition; every other place refers to it.

use super::form::{ANNOTATIONS, below, for_properties, point_within};
use crate::pointer::{key, referred};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

#[derive(PartialEq)]
struct Definition {
    reference: String,
    description: Option<Value>,
    /// What it says but for the words.
    body: Map<String, Value>,
}

/// Gives every definition a name that is the same in a pointer and in a URI: not every reader of
/// a `$ref` decodes it.
pub(super) fn rename(root: &mut Value) {
    let Some(Value::Object(definitions)) = root.get_mut("$defs") else {
        return;
    };
    let is_plain = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    let mut names = HashMap::new();
    let all = std::mem::take(definitions);
    for (index, (name, body)) in all.into_iter().enumerate() {
        let plain = if is_plain(&name) {
            name.clone()
        } else {
            format!("type-{index}")
        };
        definitions.insert(plain.clone(), body);
        names.insert(format!("/$defs/{name}"), to(&plain));
    }
    rename_below(root, &names);
}

fn to(name: &str) -> String {
    format!("#/$defs/{name}")
}

/// `names` are the new references by the old pointers.
fn rename_below(schema: &mut Value, names: &HashMap<String, String>) {
    let Value::Object(keywords) = schema else {
        return;
    };
    if let Some(Value::String(reference)) = keywords.get_mut("$ref")
        && let Some(new) = referred(reference).and_then(|pointer| names.get(&key(&pointer)))
    {
        reference.clone_from(new);
    }
    below(keywords, &mut |each| rename_below(each, names));
}

/// Turns every copy of a definition into a reference to it.
///
/// schemars inlines a recursive type where it first meets it, and defines it where it meets it
/// again.
pub(super) fn share(root: &mut Value) {
    let mut known = definitions(root);
    // A copy can hold copies of other definitions, which hide it until they are gone.
    for _ in 0..known.len() {
        if let Some(Value::Object(bodies)) = root.get_mut("$defs") {
            let bodies = bodies.values_mut();
            bodies.for_each(|body| share_below(body, &known));
        }
        let before = std::mem::replace(&mut known, definitions(root));
        if before == known {
            break;
        }
    }
    if known.is_empty() {
        return;
    }
    if let Value::Object(root) = root {
        for_properties(root, |argument| {
            share_below(argument, &known);
            refer(argument, &known, Words::All);
        });
    }
    share_below(root, &known);
}

fn definitions(root: &Value) -> Vec<Definition> {
    let bodies = root.get("$defs").and_then(Value::as_object);
    let known = bodies.into_iter().flatten().filter_map(|(name, body)| {
        Some(Definition {
            reference: to(name),
            description: body.get("description").cloned(),
            body: without_words(body.as_object()?),
        })
    });
    known.collect()
}

fn share_below(schema: &mut Value, known: &[Definition]) {
    let Value::Object(keywords) = schema else {
        return;
    };
    let definitions = keywords.shift_remove("$defs");
    below(keywords, &mut |each| {
        share_below(each, known);
        refer(each, known, Words::Own);
    });
    for_properties(keywords, point_within);
    if let Some(definitions) = definitions {
        keywords.insert("$defs".to_owned(), definitions);
    }
}

/// What a reference says beside the definition.
#[derive(Clone, Copy, PartialEq)]
enum Words {
    /// An argument is described where it stands.
    All,
    /// What the definition does not say.
    Own,
}

/// Keeps the words of the place, and refers to the definition for the rest.
fn refer(schema: &mut Value, known: &[Definition], words: Words) {
    let Value::Object(keywords) = schema else {
        return;
    };
    let mut body = without_words(keywords);
    let is_nullable = take_null(&mut body);
    let Some(definition) = known.iter().find(|definition| definition.body == body) else {
        return;
    };
    keywords.retain(|keyword, _| is_words(keyword));
    let is_known = keywords.get("description") == definition.description.as_ref();
    if words == Words::Own && is_known {
        keywords.shift_remove("description");
    }
    let reference = json!({"$ref": definition.reference});
    if is_nullable {
        let choices = json!([reference, {"type": "null"}]);
        keywords.insert("anyOf".to_owned(), choices);
    } else if keywords.is_empty() {
        *schema = reference;
    } else {
        keywords.insert("anyOf".to_owned(), json!([reference]));
    }
}

/// Leaves of a type and null the type alone.
fn take_null(body: &mut Map<String, Value>) -> bool {
    match body.get_mut("type") {
        Some(Value::Array(names)) if names.len() == 2 && names[1] == "null" => {
            let own = names.swap_remove(0);
            body.insert("type".to_owned(), own);
            true
        }
        _ => false,
    }
}

fn without_words(keywords: &Map<String, Value>) -> Map<String, Value> {
    let mut body = keywords.clone();
    body.retain(|keyword, _| !is_words(keyword));
    body
}

fn is_words(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}
