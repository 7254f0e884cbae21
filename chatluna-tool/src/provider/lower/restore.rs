//! Arguments as the model sent them, as the tool takes them.

use super::fits::{Fits, Lost};
use super::maps::{self, MapType};
use super::{Keywords, Names, references};
use crate::schema::Compiled;
use serde_json::Value;
use std::collections::HashSet;

/// How values of a schema travel.
#[derive(Clone, Copy)]
pub(super) struct Wire<'a> {
    pub(super) source: &'a Value,
    pub(super) names: &'a Names,
    pub(super) patterns: &'a Compiled,
    /// A map is an array of `{key, value}`.
    pub(super) lists_maps: bool,
    /// An optional property that is not given is `null`.
    pub(super) null_is_absent: bool,
}

impl<'a> Wire<'a> {
    /// The property that travels under a name, and its own name.
    pub(super) fn property(
        &self,
        schema: &'a Keywords,
        wire: &str,
    ) -> Option<(&'a str, &'a Value)> {
        let properties = schema.get("properties").and_then(Value::as_object)?;
        let found = properties.get_key_value(self.names.original(wire));
        let (name, property) = found.or_else(|| properties.get_key_value(wire))?;
        Some((name, property))
    }

    /// Whether an object says itself what a key is for.
    pub(super) fn is_declared(&self, schema: &'a Keywords, wire: &str) -> bool {
        self.property(schema, wire).is_some() || self.keyed(schema, wire).is_some()
    }

    pub(super) fn is_absent(&self, schema: &Keywords, name: &str, value: &Value) -> bool {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = required.is_some_and(|names| names.iter().any(|each| each == name));
        self.null_is_absent && value.is_null() && !is_required
    }

    /// The schema that an object has for keys of a pattern.
    fn keyed(&self, schema: &'a Keywords, key: &str) -> Option<&'a Value> {
        let patterns = schema.get("patternProperties").and_then(Value::as_object)?;
        let compiled = |pattern| self.patterns.get(pattern);
        let is_match = |pattern| compiled(pattern).is_some_and(|it| it.is_match(key));
        let mut patterns = patterns.iter();
        patterns.find_map(|(pattern, schema)| is_match(pattern).then_some(schema))
    }

    /// The schema for keys that have none of their own.
    fn other(&self, facets: &[&'a Keywords], key: &str) -> Option<&'a Value> {
        let additional = |facet: &&'a Keywords| facet.get("additionalProperties");
        let by_pattern = facets.iter().find_map(|facet| self.keyed(facet, key));
        by_pattern.or_else(|| facets.iter().find_map(additional))
    }
}

/// Walks a value along its schema.
pub(super) struct Restore<'a> {
    wire: Wire<'a>,
    /// By all that the schema says: a tag of a variant counts, also where the model only read of it.
    exactly: Fits<'a>,
    /// By what the model was held to.
    loosely: Fits<'a>,
}

impl<'a> Restore<'a> {
    pub(super) fn new(wire: Wire<'a>, lost: Lost<'a>) -> Self {
        Self {
            wire,
            exactly: Fits::new(wire, HashSet::new()),
            loosely: Fits::new(wire, lost),
        }
    }

    pub(super) fn value(&mut self, schema: &'a Value, value: &'a Value) -> Value {
        if !value.is_array() && !value.is_object() {
            return value.clone();
        }
        let mut facets = Vec::new();
        self.facets(schema, value, &mut facets);
        match value {
            Value::Array(items) => self.array(&facets, items),
            Value::Object(fields) => self.object(&facets, fields),
            scalar => scalar.clone(),
        }
    }

    /// The schemas that speak of a value: its own, what it refers to, and of choices the branch
    /// that the value fits.
    fn facets(&mut self, schema: &'a Value, value: &'a Value, facets: &mut Vec<&'a Keywords>) {
        let Value::Object(keywords) = schema else {
            return;
        };
        let is_known = facets.iter().any(|known| std::ptr::eq(*known, keywords));
        if is_known || facets.len() > references::LONGEST {
            return;
        }
        facets.push(keywords);
        let reference = keywords.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|name| references::resolve(self.wire.source, name));
        if let Some((target, _)) = target {
            self.facets(target, value, facets);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = keywords.get(keyword) else {
                continue;
            };
            if keyword == "allOf" {
                branches
                    .iter()
                    .for_each(|each| self.facets(each, value, facets));
            } else if let Some(branch) = self.branch(branches, value) {
                self.facets(branch, value, facets);
            }
        }
    }

    /// A value that fits no branch is still given the names of one, for the error that it will be.
    fn branch(&mut self, branches: &'a [Value], value: &'a Value) -> Option<&'a Value> {
        let exact = branches
            .iter()
            .find(|each| self.exactly.accepts(each, value));
        let loose = exact.or_else(|| {
            branches
                .iter()
                .find(|each| self.loosely.accepts(each, value))
        });
        loose.or_else(|| {
            branches
                .iter()
                .find(|each| each.get("type").is_none_or(|kind| kind != "null"))
        })
    }

    fn array(&mut self, facets: &[&'a Keywords], items: &'a [Value]) -> Value {
        let map = facets.iter().find_map(|facet| maps::of(facet));
        if let Some(map) = map.filter(|_| self.wire.lists_maps)
            && let Some(entries) = self.map(&map, items)
        {
            return entries.into();
        }
        let each = items.iter().enumerate();
        each.map(
            |(index, item)| match self.item_schema(facets, index, item) {
                Some(schema) => self.value(schema, item),
                None => item.clone(),
            },
        )
        .collect()
    }

    /// The schema of an item: that of its place in a tuple, or of whichever place it fits.
    fn item_schema(
        &mut self,
        facets: &[&'a Keywords],
        index: usize,
        item: &'a Value,
    ) -> Option<&'a Value> {
        let array = |keyword| {
            facets
                .iter()
                .find_map(|facet| facet.get(keyword)?.as_array())
        };
        let items = facets.iter().find_map(|facet| facet.get("items"));
        let Some(fields) = array("prefixItems").or_else(|| array("items")) else {
            return items;
        };
        let own = fields
            .get(index)
            .or(items.filter(|items| items.is_object()));
        let fitting = own.filter(|own| self.loosely.accepts(own, item));
        fitting.or_else(|| self.branch(fields, item))
    }

    /// `None` for what is no list of entries.
    fn map(&mut self, map: &MapType<'a>, entries: &'a [Value]) -> Option<Keywords> {
        let entries = entries.iter().map(|entry| {
            let key = entry.get("key")?.as_str()?;
            Some((key.to_owned(), self.value(map.values, entry.get("value")?)))
        });
        entries.collect()
    }

    fn object(&mut self, facets: &[&'a Keywords], fields: &'a Keywords) -> Value {
        let mut restored = Keywords::new();
        for (wire, value) in fields {
            let declared = facets
                .iter()
                .find_map(|facet| Some((facet, self.wire.property(facet, wire)?)));
            let Some((facet, (name, property))) = declared else {
                let value = match self.wire.other(facets, wire) {
                    Some(schema) => self.value(schema, value),
                    None => value.clone(),
                };
                restored.insert(wire.clone(), value);
                continue;
            };
            if !self.wire.is_absent(facet, name, value) {
                restored.insert(name.to_owned(), self.value(property, value));
            }
        }
        restored.into()
    }
}
