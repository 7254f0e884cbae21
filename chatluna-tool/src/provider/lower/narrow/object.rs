//! Objects: their properties, and maps.

use super::draft::Draft;
use super::{Narrow, nullable};
use crate::pointer::step;
use crate::provider::lower::free::{introduce, point_within};
use crate::provider::lower::loss::LossAction;
use crate::provider::lower::maps::{self, MapType};
use crate::provider::lower::{Dialect, Keywords};
use serde_json::{Value, json};

impl Narrow<'_> {
    pub(super) fn object(
        &mut self,
        draft: &mut Draft,
        schema: &Keywords,
        kinds: &[&str],
        at: &str,
    ) {
        let Some(map) = maps::of(schema) else {
            self.properties(draft, schema, at);
            return;
        };
        if !required(schema).is_empty() {
            self.lose(at, "required", LossAction::Dropped);
        }
        match self.dialect {
            Dialect::Gemini => self.open_object(draft, &map, at),
            // The root has to be an object, and a list has to be told from an array of the tool's.
            Dialect::OpenAiStrict if !at.is_empty() && !kinds.contains(&"array") => {
                self.list(draft, &map, kinds, at);
            }
            _ => self.lose(at, map.keyword, LossAction::NotStrict),
        }
    }

    fn properties(&mut self, draft: &mut Draft, schema: &Keywords, at: &str) {
        let names = required(schema);
        let properties = schema.get("properties").and_then(Value::as_object);
        // A name that is required and not described is refused.
        let is_known = |name: &&str| properties.is_some_and(|known| known.contains_key(*name));
        if !names.iter().all(is_known) {
            self.lose(at, "required", LossAction::Dropped);
        }
        let mut lowered = Keywords::new();
        let mut demanded = Vec::new();
        for (name, property) in properties.into_iter().flatten() {
            let is_required = names.contains(&name.as_str());
            let property = self.property(name, property, is_required, at);
            let wire = self.names.wire(name).to_owned();
            if is_required || self.dialect == Dialect::OpenAiStrict {
                demanded.push(wire.clone());
            }
            lowered.insert(wire, property);
        }
        draft.set("properties", lowered);
        if !demanded.is_empty() {
            draft.set("required", demanded);
        }
        self.close(draft, schema, at);
    }

    fn property(&mut self, name: &str, schema: &Value, is_required: bool, at: &str) -> Value {
        let at = step(&step(at, "properties"), name);
        let mut property = self.schema(schema, &at);
        if let Value::Object(keywords) = &mut property {
            point_within(keywords);
        }
        if !is_required && self.dialect == Dialect::OpenAiStrict {
            // What is always null cannot be told from what is not given.
            if property["type"] == "null" {
                self.lose(&at, "type", LossAction::NotStrict);
            }
            property = nullable::or_null(property);
        }
        let wire = self.names.wire(name);
        if wire != name {
            introduce(&mut property, name);
            let action = LossAction::Renamed {
                to: wire.to_owned(),
            };
            self.losses.add(&at, "properties", action);
        }
        property
    }

    /// What an object says of other keys.
    fn close(&mut self, draft: &mut Draft, schema: &Keywords, at: &str) {
        let is_strict = self.dialect.is_strict();
        if is_strict {
            draft.set("additionalProperties", false);
        }
        for keyword in ["additionalProperties", "patternProperties"] {
            match schema.get(keyword) {
                Some(said) if is_strict && *said != false => {
                    self.lose(at, keyword, LossAction::NotStrict);
                }
                Some(said) if !is_strict && *said != true => {
                    self.lose(at, keyword, LossAction::Dropped);
                }
                _ => {}
            }
        }
    }

    /// A map where there is none: an object of which no property is known.
    fn open_object(&mut self, draft: &mut Draft, map: &MapType, at: &str) {
        draft.set("properties", json!({}));
        draft.note(match map.values.get("type").and_then(Value::as_str) {
            Some(kind) => format!("any keys; each value is of type {kind}"),
            None => "any keys".to_owned(),
        });
        if *map.values != true {
            self.lose(at, map.keyword, LossAction::Dropped);
        }
        if map.pattern.is_some() {
            self.lose(at, "additionalProperties", LossAction::Dropped);
        }
    }

    /// A map as an array of its entries.
    fn list(&mut self, draft: &mut Draft, map: &MapType, kinds: &[&str], at: &str) {
        let place = step(at, map.keyword);
        let place = map
            .pattern
            .map_or(place.clone(), |pattern| step(&place, pattern));
        let mut value = self.schema(map.values, &place);
        if let Value::Object(keywords) = &mut value {
            point_within(keywords);
        }
        let entry = json!({
            "type": "object",
            "properties": {"key": self.key(map, at), "value": value},
            "required": ["key", "value"],
            "additionalProperties": false,
        });
        let mut kinds = kinds.to_vec();
        for kind in kinds.iter_mut().filter(|kind| **kind == "object") {
            *kind = "array";
        }
        draft.set("type", super::named(&kinds));
        draft.set("items", entry);
        draft.note("a list of keys and their values");
        self.lose(at, map.keyword, LossAction::Listed);
    }

    fn key(&mut self, map: &MapType, at: &str) -> Value {
        let mut draft = Draft::of(&Keywords::new());
        draft.set("type", "string");
        if let Some(pattern) = map.pattern {
            self.treat(&mut draft, "pattern", &pattern.into(), at);
        }
        draft.finish()
    }
}

fn required(schema: &Keywords) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
