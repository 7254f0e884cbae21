//! What a tool returns, made into what the model reads.

mod convert;

pub use convert::{IntoToolOutput, Json, JsonValue};

use serde_json::Value;
use std::borrow::Cow;

/// One part of a result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text for the model.
    Text(Cow<'static, str>),
}

impl<T: Into<Cow<'static, str>>> From<T> for Content {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

/// What a call gave: parts for the model, and the same as data where there is any.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    content: Parts,
    // Boxed: most results have none, and a result is moved about.
    structured: Option<Box<Value>>,
}

/// A lone part, by far the most common, needs no allocation of its own.
#[derive(Clone, Debug, PartialEq)]
enum Parts {
    One(Content),
    Many(Vec<Content>),
}

impl ToolOutput {
    /// Text for the model.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Self {
        Content::Text(text.into()).into()
    }

    /// Puts data beside the text, which takes the place of what was there.
    ///
    /// Models read the text; programs, and what asks for data in particular, read the data.
    #[must_use]
    pub fn with_structured(mut self, data: impl Into<Value>) -> Self {
        self.structured = Some(Box::new(data.into()));
        self
    }

    /// The parts, in order.
    pub fn content(&self) -> &[Content] {
        match &self.content {
            Parts::One(part) => std::slice::from_ref(part),
            Parts::Many(parts) => parts,
        }
    }

    /// The result as data: what a tool returned as [`Json`] or as a `Value`.
    pub fn structured(&self) -> Option<&Value> {
        self.structured.as_deref()
    }

    /// All text parts, joined by line breaks.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self.content() {
            [Content::Text(text)] => Cow::Borrowed(text),
            parts => Cow::Owned(joined(parts)),
        }
    }
}

fn joined(parts: &[Content]) -> String {
    let texts: Vec<&str> = parts.iter().map(|Content::Text(text)| &**text).collect();
    texts.join("\n")
}

impl From<Content> for ToolOutput {
    fn from(part: Content) -> Self {
        Self {
            content: Parts::One(part),
            structured: None,
        }
    }
}

impl From<Vec<Content>> for ToolOutput {
    fn from(parts: Vec<Content>) -> Self {
        Self {
            content: Parts::Many(parts),
            structured: None,
        }
    }
}
