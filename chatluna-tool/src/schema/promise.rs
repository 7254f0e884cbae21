//! What a schema says that decoding a value into its type does not see to.

use super::detailed::enforced;
use crate::definition::ToolDefinition;
use crate::pointer::step;
use regex_lite::Regex;
use serde_json::{Map, Value};

/// How much of a schema is still to be checked when the arguments fit the tool's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scrutiny {
    /// Nothing: the type does it.
    None,
    /// Bounds, lengths and patterns.
    Constraints,
    /// All of it: the schema was given, and the type may be any.
    Whole,
    /// All of it, and it says more than the walker knows.
    #[cfg(feature = "validate")]
    Beyond,
}

impl Scrutiny {
    pub(crate) fn of(tool: &ToolDefinition) -> Self {
        let promises = promises(tool);
        match tool.has_own_schema() {
            #[cfg(feature = "validate")]
            true if promises.iter().any(|promise| !promise.is_known) => Self::Beyond,
            true => Self::Whole,
            false if promises.iter().any(|promise| promise.is_known) => Self::Constraints,
            false => Self::None,
        }
    }
}

/// A keyword that no type of Rust's own enforces while it is decoded.
pub(crate) struct Promise {
    /// The JSON pointer of the value; `*` stands for any item or key.
    pub(crate) pointer: String,
    pub(crate) keyword: String,
    /// Whether the walker over schemas enforces it.
    pub(crate) is_known: bool,
}

/// The promises of a tool's arguments, but for those that its table keeps.
pub(crate) fn promises(tool: &ToolDefinition) -> Vec<Promise> {
    let root = tool.parameters();
    let mut search = Search {
        root,
        is_given: tool.has_own_schema(),
        entered: Vec::new(),
        found: Vec::new(),
    };
    search.schema(root, "");
    let mut found = search.found;
    found.retain(|promise| !is_kept_by_table(tool, promise));
    found
}

fn is_kept_by_table(tool: &ToolDefinition, promise: &Promise) -> bool {
    let mut rows = tool.rows().iter();
    let row = rows.find(|row| step("", row.name) == promise.pointer);
    let Some((details, row)) = row.and_then(|row| Some((row.details?, row))) else {
        return false;
    };
    let schema = &tool.parameters()["properties"][row.name];
    let kept = enforced(details, schema).into_iter();
    // A bound of the type's own may be the tighter one.
    kept.filter(|(keyword, value)| schema[keyword] == *value)
        .any(|(keyword, _)| keyword == promise.keyword)
}

struct Search<'schema> {
    root: &'schema Value,
    /// Whether no type stands behind the schema, which would check its formats.
    is_given: bool,
    /// The definitions that were looked into.
    entered: Vec<&'schema str>,
    found: Vec<Promise>,
}

impl<'schema> Search<'schema> {
    fn schema(&mut self, schema: &'schema Value, pointer: &str) {
        let Some(keywords) = schema.as_object() else {
            return;
        };
        for (keyword, value) in keywords {
            let is_known = match keyword.as_str() {
                "pattern" => value.as_str().is_some_and(|text| Regex::new(text).is_ok()),
                _ => is_constraint(keywords, keyword, value),
            };
            if is_known || is_beyond(keyword, value) || self.is_given && keyword == "format" {
                self.found.push(Promise {
                    pointer: pointer.to_owned(),
                    keyword: keyword.clone(),
                    is_known,
                });
            }
            self.below(keyword, value, pointer);
        }
    }

    fn below(&mut self, keyword: &str, value: &'schema Value, pointer: &str) {
        match (keyword, value) {
            ("properties", Value::Object(named)) => {
                for (name, schema) in named {
                    self.schema(schema, &step(pointer, name));
                }
            }
            ("patternProperties", Value::Object(named)) => {
                for schema in named.values() {
                    self.schema(schema, &step(pointer, "*"));
                }
            }
            ("items" | "additionalProperties", _) => self.schema(value, &step(pointer, "*")),
            ("prefixItems", Value::Array(items)) => {
                for (index, schema) in items.iter().enumerate() {
                    self.schema(schema, &step(pointer, &index.to_string()));
                }
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(choices)) => {
                choices.iter().for_each(|each| self.schema(each, pointer));
            }
            ("$ref", Value::String(path)) if !self.entered.contains(&&**path) => {
                self.entered.push(path);
                let target = path.strip_prefix('#').map(|path| self.root.pointer(path));
                if let Some(target) = target.flatten() {
                    self.schema(target, pointer);
                }
            }
            _ => {}
        }
    }
}

/// What the walker enforces and a type may not. Sets drop an item that comes twice, and nobody is
/// worse off: `uniqueItems` is not enforced of them.
fn is_constraint(schema: &Map<String, Value>, keyword: &str, value: &Value) -> bool {
    let same = |one: &str, other: &str| schema.get(one) == schema.get(other);
    let is_integer = schema
        .get("type")
        .is_some_and(|kind| *kind == "integer" || kind[0] == "integer");
    match keyword {
        "multipleOf" | "exclusiveMinimum" | "exclusiveMaximum" | "minProperties"
        | "maxProperties" => true,
        // A `char` is a string of length 1, a Rust array has one length; both are enforced.
        "minLength" | "maxLength" => !same("minLength", "maxLength"),
        "minItems" | "maxItems" => !same("minItems", "maxItems"),
        "minimum" | "maximum" => !(is_integer && is_bound_of_a_type(value)),
        _ => false,
    }
}

fn is_bound_of_a_type(value: &Value) -> bool {
    let bits = [8, 16, 32, 64];
    let unsigned = |value| value == 0 || bits.iter().any(|bits| value == u64::MAX >> (64 - bits));
    let signed = |value| {
        let bounds = |bits: &u32| (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
        bits.iter()
            .map(bounds)
            .any(|(low, high)| value == low || value == high)
    };
    value.as_u64().is_some_and(unsigned) || value.as_i64().is_some_and(signed)
}

/// What the walker does not know.
fn is_beyond(keyword: &str, value: &Value) -> bool {
    match keyword {
        // A tuple of an older draft.
        "items" => value.is_array(),
        "pattern"
        | "contains"
        | "dependencies"
        | "dependentRequired"
        | "dependentSchemas"
        | "if"
        | "maxContains"
        | "minContains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "$dynamicRef" => true,
        _ => false,
    }
}
