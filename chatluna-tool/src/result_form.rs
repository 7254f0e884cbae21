//! Results as data, as they are kept and shown: a [`ToolResult`] is `Serialize` and `Deserialize`.

use crate::call::ToolResult;
use crate::error::ErrorKind;
use crate::marks::Shown;
use crate::output::{Content, ToolOutput};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

#[derive(Serialize, Deserialize)]
struct Form<'result> {
    id: Cow<'result, str>,
    name: Cow<'result, str>,
    content: Cow<'result, [Content]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    structured: Option<Cow<'result, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<ErrorKind>,
    elapsed_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<Cow<'result, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Cow<'result, Value>>,
}

impl Serialize for ToolResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = Form {
            id: self.id().into(),
            name: self.name().into(),
            content: self.content().into(),
            structured: self.structured().map(Cow::Borrowed),
            error: self.error(),
            elapsed_ms: self.elapsed().as_millis().try_into().unwrap_or(u64::MAX),
            title: self.title().map(Cow::Borrowed),
            metadata: self.metadata().map(Cow::Borrowed),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        let mut output = ToolOutput::from(form.content.into_owned());
        if let Some(structured) = form.structured {
            output = output.with_structured(structured.into_owned());
        }
        let mut result = Self::kept(
            (form.id.into_owned(), form.name.into_owned()),
            output,
            form.error,
            Duration::from_millis(form.elapsed_ms),
        );
        let shown = Shown {
            title: form.title.map(Cow::into_owned),
            metadata: form.metadata.map(Cow::into_owned),
        };
        if shown != Shown::default() {
            result.set_shown(shown);
        }
        Ok(result)
    }
}

impl Serialize for ErrorKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        let mut kinds = Self::ALL.into_iter();
        let kind = kinds.find(|kind| kind.as_str() == word);
        kind.ok_or_else(|| D::Error::custom(format_args!("`{word}` is no kind of error")))
    }
}
