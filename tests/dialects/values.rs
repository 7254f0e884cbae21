//! Random values for a schema. Most fit; the caller checks.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// A value for the schema of a whole document.
pub fn value(root: &Value, seed: u64) -> Value {
    let rng = Rng::with_seed(seed);
    Values { root, rng }.of(root, 0)
}

/// From here on the shortest way out is taken.
const DEEP: usize = 6;

struct Values<'a> {
    root: &'a Value,
    rng: Rng,
}

impl<'a> Values<'a> {
    fn of(&mut self, schema: &'a Value, depth: usize) -> Value {
        if depth > DEEP * 4 {
            return Value::Null;
        }
        if let Some(reference) = schema["$ref"].as_str() {
            return match super::faults::target(self.root, reference) {
                Some(target) => self.of(target, depth + 1),
                None => Value::Null,
            };
        }
        if schema["nullable"] == true && self.rng.u8(..3) == 0 {
            return Value::Null;
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            if let Some(branches) = schema[keyword].as_array() {
                return self.branch(schema, branches, depth);
            }
        }
        if let Some(values) = schema["enum"].as_array() {
            return self.rng.choice(values).cloned().unwrap_or_default();
        }
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        self.typed(schema, depth)
    }

    fn branch(&mut self, schema: &'a Value, branches: &'a [Value], depth: usize) -> Value {
        let shortest = branches.iter().find(|each| each["type"] == "null");
        let shortest = shortest.or(branches.last()).filter(|_| depth > DEEP);
        let branch = shortest
            .or_else(|| self.rng.choice(branches))
            .unwrap_or(&Value::Null);
        let mut value = self.of(branch, depth + 1);
        // The object's own properties, beside those of the branch.
        if let (Some(fields), Some(_)) = (value.as_object_mut(), schema.get("properties")) {
            if let Value::Object(own) = self.object(schema, depth) {
                for (name, value) in own {
                    fields.entry(name).or_insert(value);
                }
            }
        } else if schema.get("properties").is_some() {
            value = self.object(schema, depth);
        }
        value
    }

    fn typed(&mut self, schema: &'a Value, depth: usize) -> Value {
        let kind = match &schema["type"] {
            Value::Array(kinds) if kinds.contains(&json!("null")) && depth > DEEP => "null",
            Value::Array(kinds) => self
                .rng
                .choice(kinds)
                .and_then(Value::as_str)
                .unwrap_or("null"),
            kind => kind.as_str().unwrap_or("any"),
        };
        match kind {
            "string" => self.text(schema).into(),
            "integer" => self.number(schema).trunc().into_integer(),
            "number" => self.number(schema).into(),
            "boolean" => self.rng.bool().into(),
            "array" => self.array(schema, depth),
            "object" => self.object(schema, depth),
            "any" => self
                .rng
                .choice([json!("any"), json!(7), json!({"a b": 1}), json!([1])])
                .unwrap_or_default(),
            _ => Value::Null,
        }
    }

    fn text(&mut self, schema: &Value) -> String {
        if schema.get("pattern").is_some() {
            return self
                .rng
                .choice(["ab", "xyz", "12", "3"])
                .unwrap_or_default()
                .to_owned();
        }
        let bound = |keyword: &str| {
            schema[keyword]
                .as_u64()
                .and_then(|bound| usize::try_from(bound).ok())
        };
        let least = bound("minLength").unwrap_or(0);
        let most = bound("maxLength").unwrap_or(least + 3);
        let length = self.rng.usize(least..=most.max(least));
        (0..length)
            .map(|_| self.rng.choice(['a', 'z', '城', ' ']).unwrap_or('a'))
            .collect()
    }

    fn number(&mut self, schema: &Value) -> f64 {
        let low = schema["minimum"]
            .as_f64()
            .or(schema["exclusiveMinimum"].as_f64())
            .unwrap_or(-5.0);
        let high = schema["maximum"]
            .as_f64()
            .or(schema["exclusiveMaximum"].as_f64())
            .unwrap_or(low + 20.0);
        (low + (high - low) * self.rng.f64()).ceil()
    }

    fn array(&mut self, schema: &'a Value, depth: usize) -> Value {
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let fields = schema["prefixItems"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let usual = if depth > DEEP {
            least
        } else {
            least + self.rng.u64(..3) + fields.len() as u64
        };
        let most = schema["maxItems"].as_u64().unwrap_or(usual);
        let mut items: Vec<Value> = fields
            .iter()
            .map(|field| self.of(field, depth + 1))
            .collect();
        while (items.len() as u64) < usual.min(most) {
            match schema.get("items") {
                Some(Value::Bool(false)) => break,
                Some(each) => items.push(self.of(each, depth + 1)),
                None => items.push(json!("any")),
            }
        }
        items.into()
    }

    fn object(&mut self, schema: &'a Value, depth: usize) -> Value {
        let mut fields = Map::new();
        let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let is_wanted = depth <= DEEP && self.rng.bool();
            if is_wanted || required.iter().any(|each| each == name) {
                fields.insert(name.clone(), self.of(property, depth + 1));
            }
        }
        for key in 0..self.rng.u8(..3) {
            self.other(schema, &mut fields, key, depth);
        }
        fields.into()
    }

    /// A key that the schema does not name.
    fn other(&mut self, schema: &'a Value, fields: &mut Map<String, Value>, key: u8, depth: usize) {
        let patterns = schema["patternProperties"].as_object();
        if let Some(values) = patterns.and_then(|patterns| patterns.values().next()) {
            fields.insert(key.to_string(), self.of(values, depth + 1));
            return;
        }
        let value = match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => return,
            Some(values) => self.of(values, depth + 1),
            None => json!("other"),
        };
        fields.insert(format!("other {key}"), value);
    }
}

/// A whole number as JSON writes it.
trait IntoInteger {
    fn into_integer(self) -> Value;
}

impl IntoInteger for f64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the bounds of the test schemas are small"
    )]
    fn into_integer(self) -> Value {
        (self as i64).into()
    }
}
