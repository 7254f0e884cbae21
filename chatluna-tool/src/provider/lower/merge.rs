//! Objects that are put together of parts (`anyOf`, `allOf`, a `$ref`), as one object.
//!
//! No provider takes a root that is a choice, and a closed object beside a choice of others would
//! refuse all of them. One object with the properties of every part takes more than the parts did.

use super::kinds::kinds;
use super::loss::{LossAction, Losses};
use super::{Dialect, Keywords, places, references};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The keywords that put schemas together.
const COMBINATORS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// What OpenAI names besides them in its refusal: "must have type 'object' and not have
/// 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"; and `const`, an `enum` of one.
const REFUSED_AT_ROOT: [&str; 3] = ["const", "enum", "not"];

/// How many references the root may be behind.
const HOPS: usize = 16;

/// How many parts may be within each other, and how many references one schema may be put together
/// of. A part of one object may be what that object is part of, and so on without end.
const NESTED: usize = 128;
const ENTERED: usize = 1_024;

/// The schema with a root that every dialect takes, and no object that is one and a choice.
pub(super) fn merged(schema: &Value, dialect: Dialect, losses: &mut Losses) -> Value {
    let mut root = match schema {
        Value::Object(root) => root.clone(),
        // `true`, the schema of anything, is one of any object.
        _ => Map::from_iter([("additionalProperties".to_owned(), true.into())]),
    };
    let mut merge = Merge {
        document: schema,
        losses,
        open: Vec::new(),
        entered: 0,
    };
    root = merge.dereferenced(root);
    if dialect != Dialect::Mcp {
        root = merge.root(root);
    }
    if dialect.is_narrow() {
        root = merge.below(&root, "");
    }
    as_object(&mut root);
    if dialect == Dialect::Mcp {
        return root.into();
    }
    without_unused(root.into())
}

/// Definitions that nothing refers to cost words, and may be what a dialect cannot say.
fn without_unused(mut root: Value) -> Value {
    let used = references::used(&root);
    if let Some(Value::Object(definitions)) = root.get_mut("$defs") {
        definitions.retain(|name, _| used.contains(name));
    }
    if root.get("$defs") == Some(&json!({}))
        && let Value::Object(root) = &mut root
    {
        root.shift_remove("$defs");
    }
    root
}

/// The type in front, and `properties`, which providers want to see.
fn as_object(root: &mut Keywords) {
    root.shift_remove("type");
    root.shift_insert(0, "type".to_owned(), "object".into());
    let properties = root.entry("properties").or_insert_with(|| json!({}));
    if !properties.is_object() {
        *properties = json!({});
    }
}

struct Merge<'a> {
    document: &'a Value,
    losses: &'a mut Losses,
    /// Where the references lead that the object around is put together of.
    open: Vec<String>,
    entered: usize,
}

impl Merge<'_> {
    fn root(&mut self, mut root: Keywords) -> Keywords {
        if COMBINATORS
            .iter()
            .any(|keyword| root.contains_key(*keyword))
        {
            root = self.one(&root, "");
        }
        for keyword in REFUSED_AT_ROOT {
            if root.shift_remove(keyword).is_some() {
                self.losses.add("", keyword, LossAction::Dropped);
            }
        }
        root
    }

    /// What a root that is a reference refers to, with the root's own keywords.
    fn dereferenced(&mut self, mut root: Keywords) -> Keywords {
        for _ in 0..HOPS {
            let Some(Value::String(reference)) = root.shift_remove("$ref") else {
                break;
            };
            self.losses.add("", "$ref", LossAction::Inlined);
            let target = references::resolve(self.document, &reference);
            let target = target.and_then(|(target, _)| target.as_object());
            for (keyword, value) in target.into_iter().flatten() {
                root.entry(keyword).or_insert_with(|| value.clone());
            }
        }
        // It leads back to itself.
        root.shift_remove("$ref");
        root
    }

    fn below(&mut self, schema: &Keywords, at: &str) -> Keywords {
        places::rebuilt(schema, at, &mut |below, at| match below {
            Value::Object(keywords) if self.is_composed(keywords) => {
                let outside = self.open.len();
                let one = self.one(keywords, at);
                let one = self.below(&one, at);
                self.open.truncate(outside);
                one.into()
            }
            Value::Object(keywords) => self.below(keywords, at).into(),
            other => other.clone(),
        })
    }

    /// Whether a schema is an object and, beside that, a choice or several schemas at once.
    fn is_composed(&self, schema: &Keywords) -> bool {
        let has = |keyword: &&str| schema.get(*keyword).is_some_and(Value::is_array);
        let properties = schema.get("properties").and_then(Value::as_object);
        if properties.is_some_and(|properties| !properties.is_empty()) {
            return COMBINATORS.iter().any(has);
        }
        let all = schema.get("allOf").and_then(Value::as_array);
        all.is_some_and(|all| all.len() > 1 && all.iter().all(|each| self.is_object(each)))
    }

    fn is_object(&self, schema: &Value) -> bool {
        let reference = schema.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|reference| references::resolve(self.document, reference));
        let schema = target.map_or(schema, |(target, _)| target);
        schema
            .as_object()
            .is_some_and(|schema| kinds(schema) == ["object"])
    }

    fn one(&mut self, schema: &Keywords, at: &str) -> Keywords {
        let whole = Value::Object(schema.clone());
        let parts = self.parts(&whole, &mut BTreeSet::new(), 0);
        let mut one = schema.clone();
        for keyword in COMBINATORS {
            if one.shift_remove(keyword).is_some() {
                self.losses.add(at, keyword, LossAction::Widened);
            }
        }
        let own = schema.get("properties").and_then(Value::as_object);
        let own = own.map_or(0, Map::len);
        // The parts could not say what else there is; together they can.
        if parts.properties.len() > own && one.get("additionalProperties") == Some(&false.into()) {
            self.losses
                .add(at, "additionalProperties", LossAction::Widened);
        }
        as_object(&mut one);
        one.insert("properties".to_owned(), parts.properties.into());
        if !parts.required.is_empty() {
            one.insert("required".to_owned(), parts.required.into());
        }
        one
    }

    /// A schema that was `seen` adds nothing when it is met again.
    fn parts(&mut self, schema: &Value, seen: &mut BTreeSet<*const Value>, depth: usize) -> Parts {
        if depth > NESTED || !seen.insert(std::ptr::from_ref(schema)) {
            return Parts::default();
        }
        let mut parts = Parts::own(schema);
        let document = self.document;
        let reference = schema.get("$ref").and_then(Value::as_str);
        if let Some((target, place)) =
            reference.and_then(|name| references::resolve(document, name))
            && self.enters(place)
        {
            parts.and(self.parts(target, seen, depth + 1));
        }
        for keyword in COMBINATORS {
            let branches = schema.get(keyword).and_then(Value::as_array);
            let branches = branches
                .into_iter()
                .flatten()
                .filter(|each| may_be_object(each));
            let branches = branches.map(|each| self.parts(each, seen, depth + 1));
            let branches: Vec<Parts> = branches.collect();
            if keyword == "allOf" {
                branches.into_iter().for_each(|each| parts.and(each));
            } else {
                parts.and(Parts::either(branches));
            }
        }
        parts
    }

    /// Whether a reference is followed; what it leads to may be within itself.
    fn enters(&mut self, place: String) -> bool {
        let open = self.open.iter().filter(|other| **other == place).count();
        let is_followed = open < references::RECURSIONS && self.entered < ENTERED;
        if is_followed {
            self.entered += 1;
            self.open.push(place);
        }
        is_followed
    }
}

/// What the parts of an object say together.
#[derive(Default)]
struct Parts {
    properties: Keywords,
    required: Vec<String>,
}

impl Parts {
    fn own(schema: &Value) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        Self {
            properties: properties.cloned().unwrap_or_default(),
            required: names.map(str::to_owned).collect(),
        }
    }

    /// Both at once. Of a property in both, the first schema is advertised.
    fn and(&mut self, other: Self) {
        for (name, schema) in other.properties {
            self.properties.entry(name).or_insert(schema);
        }
        for name in other.required {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
    }

    /// One of several: what all require is required.
    fn either(branches: Vec<Self>) -> Self {
        let is_required = |name: &String| branches.iter().all(|each| each.required.contains(name));
        let mut required = branches
            .first()
            .map_or_else(Vec::new, |each| each.required.clone());
        required.retain(is_required);
        let mut choices: Map<String, Value> = Map::new();
        for (name, schema) in branches.into_iter().flat_map(|each| each.properties) {
            let known = choices.entry(name).or_insert_with(|| json!([]));
            if let Value::Array(known) = known
                && !known.contains(&schema)
            {
                known.push(schema);
            }
        }
        let properties = choices
            .into_iter()
            .map(|(name, choices)| (name, united(choices)));
        Self {
            properties: properties.collect(),
            required,
        }
    }
}

fn may_be_object(schema: &Value) -> bool {
    let kinds = schema.as_object().map_or_else(Vec::new, kinds);
    kinds.is_empty() || kinds.contains(&"object")
}

/// One schema for a property that several branches have: the tags of variants become an `enum`.
fn united(choices: Value) -> Value {
    let Some(several) = choices.as_array() else {
        return choices;
    };
    if let [only] = &several[..] {
        return only.clone();
    }
    let tags: Option<Vec<Value>> = several.iter().map(tag).collect();
    match tags {
        Some(tags) => json!({"type": "string", "enum": tags}),
        None => json!({"anyOf": choices}),
    }
}

/// The value of a schema that says nothing but one text.
fn tag(schema: &Value) -> Option<Value> {
    let keywords = schema.as_object()?;
    let only = keywords
        .keys()
        .all(|keyword| matches!(keyword.as_str(), "type" | "const"));
    let text = keywords.get("const").filter(|text| text.is_string());
    text.filter(|_| only).cloned()
}
