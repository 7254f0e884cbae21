//! Values out of bytes, along a schema.

use crate::schemas::{NAMES, PATTERNS, junk, number, scalar};
use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value};

const DEEPEST: usize = 8;

pub fn value(
    bytes: &mut Unstructured<'_>,
    root: &Value,
    schema: &Value,
    depth: usize,
) -> Result<Value> {
    if depth > DEEPEST || bytes.is_empty() {
        return scalar(bytes);
    }
    if bytes.ratio(1, 16)? {
        return junk(bytes);
    }
    let made = along(bytes, root, schema, depth)?;
    // Models write JSON into strings.
    Ok(match bytes.ratio(1, 24)? {
        true => made.to_string().into(),
        false => made,
    })
}

fn along(
    bytes: &mut Unstructured<'_>,
    root: &Value,
    schema: &Value,
    depth: usize,
) -> Result<Value> {
    let reference = schema["$ref"]
        .as_str()
        .and_then(|path| path.strip_prefix('#'));
    if let Some(target) = reference.and_then(|path| root.pointer(path)) {
        return value(bytes, root, target, depth + 1);
    }
    let choices = ["anyOf", "oneOf", "allOf", "enum"]
        .iter()
        .find_map(|keyword| schema[*keyword].as_array().filter(|all| !all.is_empty()));
    if let Some(choices) = choices {
        let choice = bytes.choose(choices)?;
        return match schema["enum"].is_array() {
            true => Ok(choice.clone()),
            false => value(bytes, root, choice, depth + 1),
        };
    }
    if let Some(only) = schema.get("const") {
        return Ok(only.clone());
    }
    let kind = schema["type"].as_str().or(schema["type"][0].as_str());
    Ok(match kind {
        Some("string") => (*bytes.choose(&[&NAMES[..], &PATTERNS[..], &["abc"]].concat())?).into(),
        Some("integer" | "number") => number(bytes)?,
        Some("boolean") => bytes.arbitrary::<bool>()?.into(),
        Some("null") => Value::Null,
        Some("array") => array(bytes, root, schema, depth)?,
        _ if depth == 0 => object(bytes, root, schema, depth)?,
        Some("object") => object(bytes, root, schema, depth)?,
        _ => scalar(bytes)?,
    })
}

fn array(
    bytes: &mut Unstructured<'_>,
    root: &Value,
    schema: &Value,
    depth: usize,
) -> Result<Value> {
    let count = bytes.int_in_range(0..=3)?;
    let items = (0..count).map(|index| {
        let own = schema["prefixItems"].get(index);
        value(bytes, root, own.unwrap_or(&schema["items"]), depth + 1)
    });
    Ok(items.collect::<Result<Vec<_>>>()?.into())
}

fn object(
    bytes: &mut Unstructured<'_>,
    root: &Value,
    schema: &Value,
    depth: usize,
) -> Result<Value> {
    let mut fields = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if bytes.ratio(7, 8)? {
            fields.insert(name.clone(), value(bytes, root, property, depth + 1)?);
        }
    }
    let one_in = if schema["additionalProperties"] == false {
        8
    } else {
        2
    };
    if bytes.ratio(1, one_in)? {
        let name = (*bytes.choose(&NAMES)?).to_owned();
        let other = value(bytes, root, &schema["additionalProperties"], depth + 1)?;
        fields.insert(name, other);
    }
    Ok(fields.into())
}
