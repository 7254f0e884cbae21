//! Dialects that refuse what they do not know: the strict ones, and Gemini.
//!
//! Their schemas are made anew, from the types that a schema admits.

mod array;
mod choice;
mod draft;
mod nullable;
mod object;
mod reference;

use super::kinds::{self, concerns, kinds};
use super::loss::{LossAction, Losses};
use super::references::Inlining;
use super::rules;
use super::words::words;
use super::{Dialect, Keywords, Names};
use crate::pointer::step;
use crate::schema::verdict::is_a;
use draft::Draft;
use serde_json::{Value, json};

/// Keywords that have a function of their own.
const STRUCTURE: [&str; 18] = [
    "$defs",
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "definitions",
    "description",
    "enum",
    "items",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "required",
    "type",
    "title",
    "$schema",
];

pub(super) struct Narrow<'a> {
    pub(super) dialect: Dialect,
    pub(super) names: &'a Names,
    pub(super) losses: &'a mut Losses,
    pub(super) inlining: Inlining<'a>,
}

impl Narrow<'_> {
    /// The whole document: its root, and its definitions where references stay.
    pub(super) fn document(&mut self, root: &Value) -> Value {
        let mut lowered = self.schema(root, "");
        let definitions = root.get("$defs").and_then(Value::as_object);
        if let Some(definitions) = definitions.filter(|_| self.keeps_references()) {
            let lower = |(name, schema): (&String, &Value)| {
                (name.clone(), self.schema(schema, &step("/$defs", name)))
            };
            lowered["$defs"] = definitions.iter().map(lower).collect::<Keywords>().into();
        }
        lowered
    }

    fn schema(&mut self, schema: &Value, at: &str) -> Value {
        match schema {
            Value::Object(keywords) => self.keywords(keywords, at),
            Value::Bool(false) => self.nothing(at),
            _ => self.anything(&Keywords::new(), at),
        }
    }

    fn keywords(&mut self, schema: &Keywords, at: &str) -> Value {
        if let Some(Value::String(reference)) = schema.get("$ref") {
            return self.reference(schema, reference, at);
        }
        if let Some((keyword, branches)) = choice::of(schema) {
            return self.choice(schema, keyword, branches, at);
        }
        let mut kinds = kinds(schema);
        if kinds.is_empty() {
            return self.anything(schema, at);
        }
        if let Some(untyped) = without_all_types(schema, &kinds) {
            return self.anything(&untyped, at);
        }
        if self.dialect != Dialect::Gemini {
            return self.typed(schema, &kinds, at).finish();
        }
        let some = kinds.len();
        kinds.retain(|kind| *kind != "null");
        let lowered = match &kinds[..] {
            [] => self.null(schema, at),
            [_] => self.typed(schema, &kinds, at).finish(),
            several => self.typed_each(schema, several, at),
        };
        nullable::marked(lowered, kinds.len() < some)
    }

    /// Gemini has one type a schema: several are a choice.
    fn typed_each(&mut self, schema: &Keywords, kinds: &[&str], at: &str) -> Value {
        let mut draft = Draft::of(schema);
        let mut own = schema.clone();
        own.shift_remove("description");
        for keyword in ["default", "examples"] {
            if let Some(value) = own.shift_remove(keyword) {
                self.treat(&mut draft, keyword, &value, at);
            }
        }
        let each = kinds
            .iter()
            .map(|kind| self.typed(&own, &[kind], at).finish());
        draft.set("anyOf", each.collect::<Vec<Value>>());
        draft.finish()
    }

    fn typed(&mut self, schema: &Keywords, kinds: &[&str], at: &str) -> Draft {
        let mut draft = Draft::of(schema);
        draft.set("type", named(kinds));
        if kinds.contains(&"object") {
            self.object(&mut draft, schema, kinds, at);
        }
        if kinds.contains(&"array") {
            self.array(&mut draft, schema, at);
        }
        self.values(&mut draft, schema, kinds, at);
        for (keyword, value) in schema {
            let is_other =
                !STRUCTURE.contains(&keyword.as_str()) && !rules::is_noise(keyword, value);
            if is_other && kinds.iter().any(|kind| concerns(keyword, kind)) {
                self.treat(&mut draft, keyword, value, at);
            }
        }
        draft
    }

    /// `enum` and `const`.
    fn values(&mut self, draft: &mut Draft, schema: &Keywords, kinds: &[&str], at: &str) {
        let Some(values) = kinds::values(schema) else {
            return;
        };
        let is_const = schema.contains_key("const");
        let keyword = if is_const { "const" } else { "enum" };
        let mut values = values.to_vec();
        values.retain(|value| kinds.iter().any(|kind| is_a(value, kind)));
        if !self.takes_values(&values, kinds) {
            return self.describe_values(draft, keyword, &values, at);
        }
        if self.dialect == Dialect::Gemini && values.contains(&"".into()) {
            values.retain(|value| value != "");
            self.lose(at, keyword, LossAction::Narrowed);
        }
        match values.pop() {
            Some(only) if is_const && self.dialect == Dialect::OpenAiStrict => {
                draft.set("const", only);
            }
            last => draft.set("enum", values.into_iter().chain(last).collect::<Value>()),
        }
    }

    /// Strict dialects take scalars. Gemini takes texts, and not the empty one:
    /// <https://github.com/sbroenne/mcp-server-excel/issues/607>.
    fn takes_values(&self, values: &[Value], kinds: &[&str]) -> bool {
        match self.dialect {
            Dialect::Gemini => kinds == ["string"] && values.iter().any(|value| value != ""),
            _ => !values
                .iter()
                .any(|value| value.is_object() || value.is_array()),
        }
    }

    fn describe_values(&mut self, draft: &mut Draft, keyword: &str, values: &[Value], at: &str) {
        let said = match (keyword, values) {
            ("const", [only]) => words(keyword, only),
            _ => words("enum", &values.into()),
        };
        said.into_iter().for_each(|said| draft.note(said));
        self.lose(at, keyword, LossAction::Described);
    }

    fn treat(&mut self, draft: &mut Draft, keyword: &str, value: &Value, at: &str) {
        if rules::takes(self.dialect, keyword, value) {
            draft.set(keyword, value.clone());
        } else {
            self.describe(draft, keyword, value, at);
        }
    }

    fn describe(&mut self, draft: &mut Draft, keyword: &str, value: &Value, at: &str) {
        match words(keyword, value) {
            Some(said) => {
                draft.note(said);
                self.lose(at, keyword, LossAction::Described);
            }
            None if keyword == "uniqueItems" => {}
            None => self.lose(at, keyword, LossAction::Dropped),
        }
    }

    /// A schema that admits everything: Gemini wants to be told the types, a strict dialect has
    /// no word for it.
    fn anything(&mut self, schema: &Keywords, at: &str) -> Value {
        let mut draft = Draft::of(schema);
        self.beside(&mut draft, schema, at);
        if self.dialect.is_strict() {
            self.lose(at, "type", LossAction::NotStrict);
            return draft.finish();
        }
        self.lose(at, "type", LossAction::Narrowed);
        draft.set(
            "anyOf",
            json!([
                {"type": "string"},
                {"type": "number"},
                {"type": "boolean"},
                {"type": "object", "properties": {}},
                {"type": "array", "items": {"type": "string"}},
            ]),
        );
        nullable::marked(draft.finish(), true)
    }

    /// A schema that admits nothing.
    fn nothing(&mut self, at: &str) -> Value {
        self.lose(at, "false", LossAction::Widened);
        self.anything(&Keywords::new(), at)
    }

    /// A schema of `null` alone, which Gemini has no type for.
    fn null(&mut self, schema: &Keywords, at: &str) -> Value {
        self.lose(at, "type", LossAction::Widened);
        let mut draft = Draft::of(schema);
        draft.note("always null");
        draft.set("type", "string");
        draft.finish()
    }

    fn keeps_references(&self) -> bool {
        self.dialect.is_strict()
    }

    fn lose(&mut self, at: &str, keyword: &str, action: LossAction) {
        self.losses.add(at, keyword, action);
    }
}

/// What a schema that lists every type says besides: a property of any type has to have one.
fn without_all_types(schema: &Keywords, listed: &[&str]) -> Option<Keywords> {
    let is_listed = |kind: &&str| *kind == "integer" || listed.contains(kind);
    if !kinds::KINDS.iter().all(is_listed) {
        return None;
    }
    let mut untyped = schema.clone();
    untyped.shift_remove("type");
    kinds(&untyped).is_empty().then_some(untyped)
}

/// One type by its name, several as a list.
fn named(kinds: &[&str]) -> Value {
    match kinds {
        [only] => (*only).into(),
        several => json!(several),
    }
}
