//! Dialects that take JSON Schema as it is, but for names and gaps: OpenAI and Anthropic without
//! `strict`, MCP.

use super::loss::{LossAction, Losses};
use super::references::{Entered, Inlining};
use super::words::noted;
use super::{Dialect, Keywords, Names, kinds, places, rules};
use crate::pointer::step;
use serde_json::{Value, json};

/// Keywords by which a schema says what it is of.
const TELLING: [&str; 8] = [
    "$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf", "type",
];

/// All types: what a schema of anything is of.
const ANY: [&str; 6] = ["string", "number", "boolean", "object", "array", "null"];

pub(super) struct Free<'a> {
    pub(super) dialect: Dialect,
    pub(super) names: &'a Names,
    pub(super) losses: &'a mut Losses,
    pub(super) inlining: Inlining<'a>,
}

impl Free<'_> {
    pub(super) fn schema(&mut self, schema: &Value, at: &str) -> Value {
        let Value::Object(keywords) = schema else {
            return schema.clone();
        };
        if let Some(Value::String(reference)) = keywords.get("$ref")
            && !self.inlining.stays(reference)
        {
            return self.inlined(keywords, reference, at);
        }
        let mut free = places::rebuilt(keywords, at, &mut |below, at| self.schema(below, at));
        free.retain(|keyword, value| !rules::is_noise(keyword, value));
        if let Some(Value::Object(properties)) = free.get_mut("properties") {
            let properties = properties.values_mut();
            properties.for_each(|property| self.tell_type(property));
        }
        self.rename(&mut free, at);
        self.fill_gaps(&mut free);
        free.into()
    }

    /// References into the middle of a schema would miss what was renamed on the way.
    fn inlined(&mut self, keywords: &Keywords, reference: &str, at: &str) -> Value {
        let action = match self.inlining.enter(reference) {
            Entered::Target(target, pointer) => {
                self.losses.add(at, "$ref", LossAction::Inlined);
                let mut target = self.schema(target, &pointer);
                self.inlining.leave();
                for (keyword, own) in keywords {
                    match keyword.as_str() {
                        "$ref" => {}
                        "description" if target.is_object() => target["description"] = own.clone(),
                        _ if rules::is_noise(keyword, own) => {}
                        _ => self.losses.add(at, keyword, LossAction::Dropped),
                    }
                }
                return target;
            }
            Entered::Endless => LossAction::Cut,
            Entered::Dangling => LossAction::Dropped,
        };
        self.losses.add(at, "$ref", action);
        let mut rest = keywords.clone();
        rest.shift_remove("$ref");
        self.schema(&rest.into(), at)
    }

    fn rename(&mut self, schema: &mut Keywords, at: &str) {
        if self.names.is_empty() {
            return;
        }
        for keyword in ["properties", "dependentSchemas", "dependentRequired"] {
            if let Some(Value::Object(named)) = schema.get_mut(keyword) {
                let renamed = std::mem::take(named).into_iter();
                *named = renamed
                    .map(|(name, below)| (self.names.wire(&name).to_owned(), below))
                    .collect();
            }
        }
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            self.introduce(properties, &step(at, "properties"));
        }
        if let Some(Value::Array(names)) = schema.get_mut("required") {
            names.iter_mut().for_each(|name| self.rename_one(name));
        }
        if let Some(Value::Object(named)) = schema.get_mut("dependentRequired") {
            let lists = named.values_mut().filter_map(Value::as_array_mut);
            lists.flatten().for_each(|name| self.rename_one(name));
        }
    }

    fn rename_one(&self, name: &mut Value) {
        if let Value::String(text) = name {
            *name = self.names.wire(text).into();
        }
    }

    /// Some clients drop every tool of a server for one property without a type.
    fn tell_type(&self, property: &mut Value) {
        if *property == true {
            *property = json!({});
        }
        let Value::Object(keywords) = property else {
            return;
        };
        if !TELLING
            .iter()
            .any(|keyword| keywords.contains_key(*keyword))
        {
            keywords.insert("type".to_owned(), json!(ANY));
            self.fill_gaps(keywords);
        }
        point_within(keywords);
    }

    /// OpenAI refuses arrays without `items` and objects without `properties`.
    fn fill_gaps(&self, schema: &mut Keywords) {
        if self.dialect != Dialect::OpenAi {
            return;
        }
        let kinds = kinds::kinds(schema);
        for (kind, keyword) in [("array", "items"), ("object", "properties")] {
            let is_told = schema.contains_key("type") && kinds.contains(&kind);
            if is_told && !schema.contains_key(keyword) {
                schema.insert(keyword.to_owned(), json!({}));
            }
        }
    }

    /// Says which property is behind a new name.
    fn introduce(&mut self, properties: &mut Keywords, at: &str) {
        for (wire, schema) in properties {
            let original = self.names.original(wire);
            if original == wire {
                continue;
            }
            introduce(schema, original);
            let action = LossAction::Renamed { to: wire.clone() };
            self.losses.add(&step(at, original), "properties", action);
        }
    }
}

/// The description of a renamed property holds its own name, which may be all that tells what it is.
pub(super) fn introduce(schema: &mut Value, original: &str) {
    let Value::Object(keywords) = schema else {
        return;
    };
    let description = keywords.get("description").and_then(Value::as_str);
    if let Some(said) = noted(description, &[format!("this is `{original}`")]) {
        keywords.shift_remove("description");
        keywords.shift_insert(0, "description".to_owned(), said.into());
    }
}

/// A property that is a reference, as a choice of one: a `$ref` alone is no type to some clients,
/// and with other keywords beside it OpenAI refuses it.
pub(super) fn point_within(keywords: &mut Keywords) {
    if keywords.contains_key("anyOf") {
        return;
    }
    if let Some(reference) = keywords.shift_remove("$ref") {
        keywords.insert("anyOf".to_owned(), json!([{"$ref": reference}]));
    }
}
