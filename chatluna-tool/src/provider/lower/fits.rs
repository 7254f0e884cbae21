//! Whether a value that came over the wire fits a schema: how a branch of a choice is told.

use super::maps::{self, MapType};
use super::restore::Wire;
use super::{Keywords, kinds, references};
use crate::schema::verdict::is_a;
use crate::schema::{broken, equal};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Deeper values and schemas are not looked into. A text is nested 128 times at most.
const DEEPEST: usize = 512;

/// A schema or a value, by its address: both stand still while a call is restored.
type Place = *const Value;

/// Keywords that the model was not held to, by the schema that holds them.
pub(super) type Lost<'a> = HashSet<(*const Keywords, &'a str)>;

/// Judges values under the names and forms that they travel in.
///
/// Every pair of schema and value is judged once, so that recursive choices stay cheap.
pub(super) struct Fits<'a> {
    wire: Wire<'a>,
    lost: Lost<'a>,
    judged: HashMap<(Place, Place), bool>,
    /// How many schemas are being judged, each for the one before.
    depth: usize,
}

impl<'a> Fits<'a> {
    pub(super) fn new(wire: Wire<'a>, lost: Lost<'a>) -> Self {
        Self {
            wire,
            lost,
            judged: HashMap::new(),
            depth: 0,
        }
    }

    pub(super) fn accepts(&mut self, schema: &'a Value, value: &'a Value) -> bool {
        let Value::Object(keywords) = schema else {
            return *schema != false;
        };
        let pair = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        if let Some(known) = self.judged.get(&pair) {
            return *known;
        }
        // A schema that comes back to itself without a step into the value admits nothing by it.
        self.judged.insert(pair, false);
        if self.depth > DEEPEST {
            return false;
        }
        self.depth += 1;
        let fits = self.constraints_hold(keywords, value)
            && keywords.iter().all(|(keyword, rule)| {
                if self.is_lost(keywords, keyword) {
                    self.is_left(keywords, keyword, rule, value)
                } else {
                    self.holds(keywords, keyword, rule, value)
                }
            });
        self.depth -= 1;
        self.judged.insert(pair, fits);
        fits
    }

    fn constraints_hold(&self, schema: &'a Keywords, value: &Value) -> bool {
        // What a schema says of its arrays is not said of a map that travels as one.
        if value.is_array() && self.listed(schema).is_some() {
            return true;
        }
        let is_kept = |keyword: &str| !self.is_lost(schema, keyword);
        broken(schema, value, self.wire.patterns, is_kept).is_empty()
    }

    /// The map that travels as an array of its entries.
    fn listed(&self, schema: &'a Keywords) -> Option<MapType<'a>> {
        maps::of(schema).filter(|_| self.wire.lists_maps)
    }

    fn is_lost(&self, schema: &'a Keywords, keyword: &str) -> bool {
        self.lost.contains(&(std::ptr::from_ref(schema), keyword))
    }

    /// What the model was held to of a keyword that was lost.
    fn is_left(
        &mut self,
        schema: &'a Keywords,
        keyword: &str,
        rule: &'a Value,
        value: &'a Value,
    ) -> bool {
        match (keyword, rule, value) {
            ("oneOf", Value::Array(branches), _) => self.any(branches, value),
            ("allOf", Value::Array(all), _) => self.any(&all[..all.len().min(1)], value),
            ("prefixItems", Value::Array(fields), Value::Array(items)) => {
                let rest = schema.get("items").filter(|rest| rest.is_object());
                let is_rest =
                    |fits: &mut Self, item| rest.is_some_and(|rest| fits.accepts(rest, item));
                items
                    .iter()
                    .all(|item| self.any(fields, item) || is_rest(self, item))
            }
            _ => true,
        }
    }

    fn any(&mut self, branches: &'a [Value], value: &'a Value) -> bool {
        branches.iter().any(|each| self.accepts(each, value))
    }

    fn holds(
        &mut self,
        schema: &'a Keywords,
        keyword: &str,
        rule: &'a Value,
        value: &'a Value,
    ) -> bool {
        match (keyword, rule) {
            ("$ref", Value::String(reference)) => {
                let target = references::resolve(self.wire.source, reference);
                target.is_none_or(|(target, _)| self.accepts(target, value))
            }
            ("anyOf", Value::Array(branches)) => self.any(branches, value),
            ("oneOf", Value::Array(branches)) => {
                let fitting = branches.iter().filter(|each| self.accepts(each, value));
                fitting.count() == 1
            }
            ("allOf", Value::Array(branches)) => {
                branches.iter().all(|each| self.accepts(each, value))
            }
            ("enum", Value::Array(values)) => values.iter().any(|each| equal(each, value)),
            ("const", only) => equal(only, value),
            ("type", _) => self.is_of_type(schema, value),
            _ => match value {
                Value::Array(items) => self.items_hold(schema, keyword, rule, items),
                Value::Object(fields) => self.fields_hold(schema, keyword, rule, fields),
                _ => true,
            },
        }
    }

    fn is_of_type(&self, schema: &'a Keywords, value: &Value) -> bool {
        let is_container = value.is_array() || value.is_object();
        if is_container && self.listed(schema).is_some() {
            return value.is_array();
        }
        let mut kinds = kinds::declared(schema).into_iter();
        kinds.any(|kind| is_a(value, kind))
    }

    fn items_hold(
        &mut self,
        schema: &'a Keywords,
        keyword: &str,
        rule: &'a Value,
        items: &'a [Value],
    ) -> bool {
        if let Some(map) = self.listed(schema) {
            return keyword != map.keyword || self.entries_hold(map.values, items);
        }
        // With the places of a tuple lost, `prefixItems` answers for what comes after as well.
        if keyword == "items" && self.is_lost(schema, "prefixItems") {
            return true;
        }
        match (keyword, rule) {
            ("items", Value::Object(_) | Value::Bool(_)) => {
                let fields = schema.get("prefixItems").and_then(Value::as_array);
                let mut rest = items.iter().skip(fields.map_or(0, Vec::len));
                rest.all(|item| self.accepts(rule, item))
            }
            ("items" | "prefixItems", Value::Array(fields)) => {
                let mut pairs = fields.iter().zip(items);
                pairs.all(|(field, item)| self.accepts(field, item))
            }
            _ => true,
        }
    }

    /// A map that travels as an array of its entries.
    fn entries_hold(&mut self, values: &'a Value, entries: &'a [Value]) -> bool {
        entries
            .iter()
            .all(|entry| match (entry.get("key"), entry.get("value")) {
                (Some(Value::String(_)), Some(value)) => self.accepts(values, value),
                _ => false,
            })
    }

    fn fields_hold(
        &mut self,
        schema: &'a Keywords,
        keyword: &str,
        rule: &'a Value,
        fields: &'a Keywords,
    ) -> bool {
        match (keyword, rule) {
            ("properties", Value::Object(_)) => fields.iter().all(|(wire, value)| {
                let Some((name, property)) = self.wire.property(schema, wire) else {
                    return true;
                };
                self.wire.is_absent(schema, name, value) || self.accepts(property, value)
            }),
            ("required", Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .all(|name| fields.contains_key(self.wire.names.wire(name))),
            ("additionalProperties", _) => fields.iter().all(|(wire, value)| {
                self.wire.is_declared(schema, wire) || self.accepts(rule, value)
            }),
            _ => true,
        }
    }
}
