//! What a canonical schema never has.

use serde_json::{Map, Value};

/// Every fault of a schema of arguments, with its place.
pub fn faults(root: &Value) -> Vec<String> {
    let mut faults = below(root);
    let is_choice = root.get("anyOf").is_some();
    if root["type"] != "object" || !root["properties"].is_object() {
        faults.push("the root is no object with properties".to_owned());
    }
    if is_choice == root.get("additionalProperties").is_some() {
        faults.push("the root is open, or a choice and closed".to_owned());
    }
    faults
}

/// The faults that the schema of a result does not have either.
pub fn below(root: &Value) -> Vec<String> {
    let mut visit = Visit {
        root,
        faults: Vec::new(),
        referred: Vec::new(),
    };
    visit.schema(root, "");
    let definitions = root["$defs"].as_object().into_iter().flatten();
    for (name, body) in definitions {
        if !visit.referred.contains(&body) {
            visit.faults.push(format!("nothing refers to {name}"));
        }
    }
    visit.faults
}

struct Visit<'a> {
    root: &'a Value,
    faults: Vec<String>,
    referred: Vec<&'a Value>,
}

impl<'a> Visit<'a> {
    fn fault(&mut self, at: &str, what: &str) {
        self.faults.push(format!("{what} at {at}"));
    }

    fn schema(&mut self, schema: &'a Value, at: &str) {
        let Value::Object(keywords) = schema else {
            return;
        };
        for noise in ["$schema", "title", "oneOf"] {
            if keywords.contains_key(noise) {
                self.fault(at, noise);
            }
        }
        if let Some(format) = keywords.get("format").and_then(Value::as_str)
            && (format.contains("int") || ["float", "double"].contains(&format))
        {
            self.fault(at, format);
        }
        self.reference(keywords, at);
        self.choices(keywords, at);
        for (name, property) in keywords
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            if property.get("type").or(property.get("anyOf")).is_none() {
                self.fault(&format!("{at}/{name}"), "no type");
            }
        }
        self.children(keywords, at);
    }

    fn reference(&mut self, keywords: &Map<String, Value>, at: &str) {
        let Some(reference) = keywords.get("$ref").and_then(Value::as_str) else {
            return;
        };
        if keywords.len() > 1 {
            self.fault(at, "words beside a reference");
        }
        let name = reference.strip_prefix("#/$defs/").unwrap_or_default();
        let definitions = self.root["$defs"].as_object();
        let mut definitions = definitions.into_iter().flatten();
        match definitions.find(|(own, _)| *own == name) {
            Some((_, body)) => self.referred.push(body),
            None => self.fault(at, "a dangling reference"),
        }
    }

    fn choices(&mut self, keywords: &Map<String, Value>, at: &str) {
        let choices = keywords.get("anyOf").and_then(Value::as_array);
        let choices: Vec<&Value> = choices.into_iter().flatten().collect();
        let texts = choices.iter().filter(|each| each.get("const").is_some());
        if texts.count() > 1 {
            self.fault(at, "constants that are no enum");
        }
    }

    fn children(&mut self, keywords: &'a Map<String, Value>, at: &str) {
        for (keyword, value) in keywords {
            let place = format!("{at}/{keyword}");
            match (keyword.as_str(), value) {
                ("properties" | "patternProperties" | "$defs", Value::Object(named)) => {
                    for (name, each) in named {
                        self.copy(each, keyword, &place);
                        self.schema(each, &format!("{place}/{name}"));
                    }
                }
                ("anyOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                    for each in list {
                        self.copy(each, keyword, &place);
                        self.schema(each, &place);
                    }
                }
                ("items" | "additionalProperties" | "not", _) => {
                    self.copy(value, keyword, &place);
                    self.schema(value, &place);
                }
                _ => {}
            }
        }
    }

    /// A definition is referred to, never written twice.
    fn copy(&mut self, schema: &Value, keyword: &str, at: &str) {
        let bare = |schema: &Value| {
            let mut bare = schema.as_object().cloned().unwrap_or_default();
            bare.shift_remove("description");
            bare
        };
        let definitions = self.root["$defs"].as_object().into_iter().flatten();
        let is_copy = definitions
            .into_iter()
            .any(|(_, body)| bare(body) == bare(schema));
        if is_copy && keyword != "$defs" {
            self.fault(at, "a copy of a definition");
        }
    }
}
