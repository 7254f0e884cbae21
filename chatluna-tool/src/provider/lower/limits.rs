//! How large a strict schema may be.

use super::{Dialect, places, references};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// OpenAI: "up to 5,000 object properties total, with up to 10 levels of nesting".
const PROPERTIES: usize = 5_000;
const DEPTH: usize = 10;

/// OpenAI: "the total string length of all property names, definition names, enum values, and
/// const values cannot exceed 120,000 characters".
const CHARACTERS: usize = 120_000;

/// OpenAI: "up to 1,000 enum values across all enum properties"; of one enum with more than 250
/// strings, "the total string length of all enum values cannot exceed 15,000 characters".
const VALUES: usize = 1_000;
const LONG_ENUM: usize = 250;
const LONG_ENUM_CHARACTERS: usize = 15_000;

/// Anthropic: "optional parameters" and "parameters with union types" over all strict tools of a
/// request; one tool can hold to them for itself only.
const OPTIONAL: usize = 24;
const UNIONS: usize = 16;

/// The keyword of which there is too much; `None` for a schema within the limits of its dialect.
pub(super) fn exceeded(schema: &Value, dialect: Dialect) -> Option<&'static str> {
    let size = Size::of(schema);
    match dialect {
        Dialect::OpenAiStrict if size.properties > PROPERTIES => Some("properties"),
        Dialect::OpenAiStrict if size.values > VALUES || size.has_long_enum => Some("enum"),
        Dialect::OpenAiStrict if size.characters > CHARACTERS => Some("properties"),
        Dialect::OpenAiStrict if Depth::of(schema) > DEPTH => Some("properties"),
        Dialect::AnthropicStrict if size.optional > OPTIONAL => Some("required"),
        Dialect::AnthropicStrict if size.unions > UNIONS => Some("anyOf"),
        _ => None,
    }
}

#[derive(Default)]
struct Size {
    properties: usize,
    characters: usize,
    values: usize,
    has_long_enum: bool,
    optional: usize,
    unions: usize,
}

impl Size {
    fn of(schema: &Value) -> Self {
        let mut size = Self::default();
        places::all(schema, &mut |each| size.add(each));
        size
    }

    fn add(&mut self, schema: &Value) {
        let names = |keyword: &str| schema.get(keyword).and_then(Value::as_object);
        let properties = names("properties").map_or(0, |properties| properties.len());
        let required = schema.get("required").and_then(Value::as_array);
        self.properties += properties;
        self.optional += properties.saturating_sub(required.map_or(0, Vec::len));
        for keyword in ["properties", "$defs"] {
            let names = names(keyword).into_iter().flatten();
            self.characters += names.map(|(name, _)| name.chars().count()).sum::<usize>();
        }
        self.add_values(schema);
        let is_union = schema.get("anyOf").is_some() || schema["type"].is_array();
        self.unions += usize::from(is_union);
    }

    fn add_values(&mut self, schema: &Value) {
        let length = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
        let values = schema.get("enum").and_then(Value::as_array);
        let values = values.map_or(&[][..], Vec::as_slice);
        let characters: usize = values.iter().map(length).sum();
        self.values += values.len();
        self.characters += characters + schema.get("const").map_or(0, length);
        self.has_long_enum |= values.len() > LONG_ENUM && characters > LONG_ENUM_CHARACTERS;
    }
}

/// How many objects and arrays are within each other. What a definition holds counts where it is
/// referred to, and once on the way down.
struct Depth<'a> {
    root: &'a Value,
    open: HashSet<*const Value>,
    /// How deep each schema was met: no less deep is it looked into again.
    met: HashMap<*const Value, usize>,
    deepest: usize,
}

impl<'a> Depth<'a> {
    fn of(root: &'a Value) -> usize {
        let mut depth = Depth {
            root,
            open: HashSet::new(),
            met: HashMap::new(),
            deepest: 0,
        };
        depth.below(root, 0);
        depth.deepest
    }

    fn below(&mut self, schema: &'a Value, outer: usize) {
        let reference = schema.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|name| references::resolve(self.root, name));
        let schema = target.map_or(schema, |(target, _)| target);
        let is_news = self
            .met
            .get(&std::ptr::from_ref(schema))
            .is_none_or(|met| *met < outer);
        if self.open.len() > references::LONGEST {
            self.deepest = usize::MAX;
        }
        if self.deepest > DEPTH || !is_news || !self.open.insert(schema) {
            return;
        }
        self.met.insert(schema, outer);
        let own = usize::from(schema.get("properties").is_some() || schema.get("items").is_some());
        self.deepest = self.deepest.max(outer + own);
        for (place, each) in places::subschemas(schema) {
            if !place.starts_with("/$defs") {
                self.below(each, outer + own);
            }
        }
        self.open.remove(&std::ptr::from_ref(schema));
    }
}
