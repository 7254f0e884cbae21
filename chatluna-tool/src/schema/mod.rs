//! The one way a schema is made, and its canonical form.
//!
//! Canonical: the root is an object with `properties`, unknown keys rejected;
//! no `$schema`, no `title`, no integer `format`; an enum of texts is one
//! `enum`, any other choice `anyOf`; every property has a `type` or `anyOf`;
//! subschemas inlined but for recursive ones; keys in declaration order.

mod constraints;
mod detailed;
pub(crate) mod effort;
mod equal;
mod expected;
mod flat;
mod form;
mod promise;
mod root;
mod shared;
#[cfg(feature = "validate")]
mod validate;
pub(crate) mod verdict;

pub(crate) use constraints::{Compiled, broken};
pub(crate) use detailed::types;
pub(crate) use equal::equal;
pub(crate) use flat::flat;
pub(crate) use promise::{Scrutiny, promises};
#[cfg(feature = "validate")]
pub(crate) use validate::Validator;

use crate::arguments::Parameter;
use crate::guard::{Panicked, guard};
use flat::Flat;
use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

/// What a schema is made from.
#[derive(Clone)]
pub(crate) enum SchemaSource {
    None,
    Parameters {
        rows: &'static [Parameter],
        examples: &'static [&'static str],
    },
    Type(fn(&mut SchemaGenerator) -> Schema),
    Output(fn(&mut SchemaGenerator) -> Option<Schema>),
    Value(Box<Value>),
}

/// The canonical schema. A `JsonSchema` of the user's that panics is logged and leaves any object.
pub(crate) fn canonical(source: &SchemaSource) -> Value {
    generated(source).unwrap_or_else(|panicked| {
        tracing::error!(%panicked, "a `JsonSchema` implementation panicked");
        json!({"type": "object", "properties": {}})
    })
}

pub(crate) fn generated(source: &SchemaSource) -> Result<Value, Panicked> {
    guard(|| generate(source))
}

fn generate(source: &SchemaSource) -> Value {
    let mut input = settings().into_generator();
    match source {
        SchemaSource::None => Value::Null,
        SchemaSource::Value(schema) => with_properties(Value::clone(schema)),
        SchemaSource::Parameters { rows, examples } => {
            with_examples(of_parameters(rows, input), examples)
        }
        SchemaSource::Type(schema) => {
            let root = schema(&mut input);
            finish(root::rooted(root.into()), input)
        }
        SchemaSource::Output(schema) => {
            let mut generator = settings().for_serialize().into_generator();
            schema(&mut generator).map_or(Value::Null, |root| finish(root.into(), generator))
        }
    }
}

fn settings() -> SchemaSettings {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings
}

/// One generator over all parameters, so that they share their `$defs`.
fn of_parameters(parameters: &[Parameter], mut generator: SchemaGenerator) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut additional = Value::Bool(false);
    for row in parameters {
        if row.is_flattened() {
            let Some(flat) = Flat::of(row, &mut generator) else {
                continue;
            };
            properties.extend(flat.properties);
            required.extend(flat.required);
            additional = flat.additional;
            continue;
        }
        if !(row.optional)() {
            required.push(Value::from(row.name));
        }
        properties.insert(row.name.to_owned(), property(row, &mut generator));
    }
    let mut root = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        root["required"] = required.into();
    }
    root["additionalProperties"] = additional;
    finish(root, generator)
}

/// Models read the examples of a whole call.
fn with_examples(mut root: Value, texts: &[&str]) -> Value {
    let examples = parsed(texts);
    if !examples.is_empty() {
        root["examples"] = examples.into();
    }
    root
}

/// Examples that are JSON; `testing::check_all` finds the others.
pub(crate) fn parsed(examples: &[&str]) -> Vec<Value> {
    let parse = |text: &&str| serde_json::from_str(text).ok();
    examples.iter().filter_map(parse).collect()
}

fn property(row: &Parameter, generator: &mut SchemaGenerator) -> Value {
    let mut schema = Value::from((row.schema)(generator));
    form::tell_type(&mut schema);
    if (row.optional)() {
        forbid_null(&mut schema);
    }
    let schema = described(schema, row.description);
    match row.details {
        Some(details) => detailed::add(schema, details),
        None => schema,
    }
}

/// The parameter's own words come first and beat those of its type.
fn described(schema: Value, description: &str) -> Value {
    if description.is_empty() {
        return schema;
    }
    let mut described = Map::new();
    described.insert("description".to_owned(), description.into());
    match schema {
        Value::Object(mut schema) => {
            schema.shift_remove("description");
            described.extend(schema);
        }
        other => drop(other),
    }
    described.into()
}

/// An optional parameter is left out, not sent as `null`.
fn forbid_null(schema: &mut Value) {
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            schema["type"] = only.clone();
        }
    }
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.retain(|value| !value.is_null());
    }
    let Some(choices) = schema.get_mut("anyOf").and_then(Value::as_array_mut) else {
        return;
    };
    choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
    if let [only] = &mut choices[..]
        && only.get("$ref").is_none()
    {
        *schema = only.take();
    }
}

/// `true`, the schema of anything, is one of any object; and providers want to see `properties`.
fn with_properties(mut root: Value) -> Value {
    if !root.is_object() {
        root = json!({"type": "object", "additionalProperties": true});
    }
    if root.get("properties").is_none() {
        root["properties"] = json!({});
    }
    root
}

/// Adds the definitions, and gives the whole its canonical form.
fn finish(mut root: Value, mut generator: SchemaGenerator) -> Value {
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        root["$defs"] = definitions.into();
    }
    shared::rename(&mut root);
    form::clean(&mut root);
    shared::share(&mut root);
    root
}
