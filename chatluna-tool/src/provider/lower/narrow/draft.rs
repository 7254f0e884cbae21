//! A schema while it is put together.

use crate::provider::lower::Keywords;
use crate::provider::lower::words::noted;
use serde_json::Value;

/// Keywords, and what is to be said in the description.
pub(super) struct Draft {
    description: Option<String>,
    notes: Vec<String>,
    keywords: Keywords,
}

impl Draft {
    /// Nothing yet but the description.
    pub(super) fn of(schema: &Keywords) -> Self {
        let description = schema.get("description").and_then(Value::as_str);
        Self {
            description: description.map(str::to_owned),
            notes: Vec::new(),
            keywords: Keywords::new(),
        }
    }

    pub(super) fn set(&mut self, keyword: &str, value: impl Into<Value>) {
        self.keywords.insert(keyword.to_owned(), value.into());
    }

    pub(super) fn note(&mut self, words: impl Into<String>) {
        self.notes.push(words.into());
    }

    /// Takes over a finished schema; what it says comes after what is said here.
    pub(super) fn take_over(&mut self, schema: Value) {
        let Value::Object(keywords) = schema else {
            return;
        };
        for (keyword, value) in keywords {
            match (keyword.as_str(), &self.description, &value) {
                ("description", None, Value::String(theirs)) => {
                    self.description = Some(theirs.clone());
                }
                ("description", Some(own), Value::String(theirs)) if own != theirs => {
                    self.description = Some(format!("{own}\n{theirs}"));
                }
                ("description", ..) => {}
                _ => self.set(&keyword, value),
            }
        }
    }

    /// The keywords beside the description.
    pub(super) fn keywords(&mut self) -> &mut Keywords {
        &mut self.keywords
    }

    /// Whether anything stands beside the keywords.
    pub(super) fn is_described(&self) -> bool {
        self.description.is_some() || !self.notes.is_empty()
    }

    pub(super) fn finish(self) -> Value {
        let mut finished = Keywords::new();
        if let Some(said) = noted(self.description.as_deref(), &self.notes) {
            finished.insert("description".to_owned(), said.into());
        }
        finished.extend(self.keywords);
        finished.into()
    }
}
