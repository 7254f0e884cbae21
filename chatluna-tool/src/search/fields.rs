//! The texts of a tool that are searched, by what they are.

use super::vocabulary::{Form, Vocabulary};
use crate::definition::ToolDefinition;
use serde_json::Value;

/// What a text of a tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Its name, without the server's.
    Name,
    /// The server of `server__tool`.
    Server,
    Description,
    /// The names of its arguments, nested ones too.
    Arguments,
    /// What is said of them, and the words that they may be.
    Texts,
    /// What only a search sees: keywords and examples.
    Hints,
}

impl Field {
    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::Name,
        Self::Server,
        Self::Description,
        Self::Arguments,
        Self::Texts,
        Self::Hints,
    ];

    pub(super) const COUNT: usize = 6;

    /// How much a word counts in it, the description being one.
    pub(super) const fn weight(self) -> f32 {
        match self {
            Self::Name => 1.8,
            Self::Server => 0.6,
            Self::Description | Self::Hints => 1.0,
            Self::Arguments | Self::Texts => 0.5,
        }
    }

    /// How much a word counts less where there are many, between 0 and 1.
    pub(super) const fn dilution(self) -> f32 {
        match self {
            Self::Name | Self::Server => 0.3,
            Self::Description | Self::Hints | Self::Arguments | Self::Texts => 0.5,
        }
    }
}

/// A term in a tool.
#[derive(Clone, Copy)]
pub(super) struct Occurrence {
    pub(super) term: u32,
    pub(super) field: Field,
    pub(super) form: Form,
}

/// The terms of one tool.
pub(super) type Terms = Vec<Occurrence>;

/// Every term of a tool.
pub(super) fn terms_of(tool: &ToolDefinition, vocabulary: &mut Vocabulary) -> Terms {
    let mut terms = Terms::new();
    fields(tool, |field, text| add(&mut terms, field, text, vocabulary));
    terms
}

/// Adds the terms of a text.
pub(super) fn add(terms: &mut Terms, field: Field, text: &str, vocabulary: &mut Vocabulary) {
    vocabulary.read(text, |term, form| {
        terms.push(Occurrence { term, field, form })
    });
}

/// Calls `read` with every text of a tool.
fn fields(tool: &ToolDefinition, mut read: impl FnMut(Field, &str)) {
    let (server, name) = match tool.name().split_once("__") {
        Some((server, name)) => (server, name),
        None => ("", tool.name()),
    };
    read(Field::Server, server);
    read(Field::Name, name);
    read(Field::Description, tool.description());
    arguments(tool.parameters(), &mut read);
    for keyword in tool.keywords() {
        read(Field::Hints, keyword);
    }
    for example in tool.examples() {
        texts(&example, &mut |text| read(Field::Hints, text));
    }
}

/// The arguments of a schema, and those within them.
fn arguments(schema: &Value, read: &mut impl FnMut(Field, &str)) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        read(Field::Arguments, name);
        if let Some(text) = schema.get("description").and_then(Value::as_str) {
            read(Field::Texts, text);
        }
        if let Some(values) = schema.get("enum") {
            texts(values, &mut |text| read(Field::Texts, text));
        }
        arguments(schema, read);
    }
    if let Some(items) = schema.get("items") {
        arguments(items, read);
    }
}

/// The texts within a value.
fn texts(value: &Value, each: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, each)),
        Value::Object(members) => members.values().for_each(|member| texts(member, each)),
        _ => {}
    }
}
