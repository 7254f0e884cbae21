//! What a tool returns, made into what the model reads.

mod block;
mod cap;
mod content;
mod controls;
mod convert;
mod cut;
#[cfg(feature = "store")]
mod folder;
mod kept;
mod lines;
mod size;

pub(crate) use block::encoded;
pub use cap::OutputCap;
pub use content::{Content, Link, Media};
pub(crate) use controls::picture_controls;
pub use convert::{IntoToolOutput, Json, JsonValue};
pub(crate) use cut::Rest;
#[cfg(feature = "store")]
pub(crate) use folder::OutputFolder;
pub(crate) use kept::{Missing, Output, Outputs};
pub(crate) use size::Count;

use serde_json::Value;
use std::borrow::Cow;

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

    /// Puts another part behind those that there are.
    ///
    /// ```
    /// use chatluna_tool::{Content, ToolOutput};
    ///
    /// let output = ToolOutput::text("Two charts:")
    ///     .with_part(Content::image(b"..", "image/png").with_name("a.png"))
    ///     .with_part(Content::link("https://example.org/b.png"));
    /// assert_eq!(output.content().len(), 3);
    /// ```
    #[must_use]
    pub fn with_part(mut self, part: impl Into<Content>) -> Self {
        let mut parts = match self.content {
            Parts::One(first) => vec![first],
            Parts::Many(parts) => parts,
        };
        parts.push(part.into());
        self.content = Parts::Many(parts);
        self
    }

    /// Puts data beside the text, which takes the place of what was there.
    ///
    /// Models read the text; the data is for programs.
    ///
    /// ```
    /// use chatluna_tool::ToolOutput;
    /// use serde_json::json;
    ///
    /// let output = ToolOutput::text("3 files changed").with_structured(json!({"changed": 3}));
    /// assert_eq!(output.to_text(), "3 files changed");
    /// assert_eq!(output.structured(), Some(&json!({"changed": 3})));
    /// ```
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

    /// The parts as text, joined by line breaks; of those that are none, a short description.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self.content() {
            [Content::Text(text)] => Cow::Borrowed(text),
            parts => Cow::Owned(joined(parts)),
        }
    }
}

fn joined(parts: &[Content]) -> String {
    let texts: Vec<_> = parts.iter().map(Content::to_text).collect();
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

impl From<Media> for ToolOutput {
    fn from(media: Media) -> Self {
        Content::from(media).into()
    }
}

impl From<Link> for ToolOutput {
    fn from(link: Link) -> Self {
        Content::from(link).into()
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
