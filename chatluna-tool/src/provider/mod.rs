//! The wire formats of model providers.
//!
//! Each format has `tools` (definitions → wire), `tool_calls` (a reply →
//! [`ToolCall`](crate::ToolCall)s) and `tool_messages` (results → wire). What goes in is anything that
//! serialises: a `Value`, the types of a client crate, or a `&str` of JSON.
//! What comes out is a `Value`, or through the `*_as` functions any type that deserialises.
//! `Deltas` puts the calls of a streamed reply together.
//!
//! A result's media travel in the form that the provider has for them. Where it has none, the model
//! reads a short description, such as `[audio audio/wav, 12 KiB]`; bytes are never written as text,
//! and control characters are shown as signs. A failure is told in words alone.
//!
//! Schemas are written in the provider's [`Dialect`], once a tool, and what comes back is read from
//! it. [`ToolDefinition::lowered`] tells what a schema loses.

pub mod anthropic;
mod deferred;
pub mod gemini;
mod lower;
pub mod openai;
mod parts;
mod stream;

pub(crate) use lower::dangling;
pub use lower::{
    Dialect, Loss, LossAction, Lowered, UnknownDialect, cut_description, lower, original_tool_name,
    tool_name,
};
pub use stream::{Assemble, Deltas};

use crate::arguments::Arguments;
use crate::definition::ToolDefinition;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// A reply that is not in the provider's format, or a type that does not take ours.
#[derive(Debug)]
pub struct WireError {
    message: String,
}

impl WireError {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self { message }
    }

    /// What a provider said instead of a reply.
    fn reported(error: &Value) -> Self {
        Self::new(format_args!("the reply is an error: {error}"))
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for WireError {}

/// A tool as requests in a dialect hold it, however they call its parts.
pub(crate) struct Sent<'tool> {
    pub(crate) name: Cow<'tool, str>,
    pub(crate) description: Cow<'tool, str>,
    pub(crate) schema: &'tool Value,
    pub(crate) strict: bool,
}

impl<'tool> Sent<'tool> {
    pub(crate) fn of(tool: &'tool ToolDefinition, dialect: Dialect) -> Self {
        let lowered = tool.lowered(dialect);
        Self {
            name: tool_name(tool.name(), dialect),
            description: cut_description(tool.description(), dialect).0,
            schema: &lowered.schema,
            strict: lowered.strict,
        }
    }
}

/// Anything that serialises, as a `Value`; text is read as JSON.
fn value(wire: &(impl Serialize + ?Sized)) -> Result<Value, WireError> {
    let value = serde_json::to_value(wire)
        .map_err(|error| WireError::new(format_args!("the reply cannot be serialised: {error}")))?;
    match value {
        Value::String(text) => serde_json::from_str(&text)
            .map_err(|error| WireError::new(format_args!("the reply is not valid JSON: {error}"))),
        value => Ok(value),
    }
}

/// Our `Value` as somebody's type.
fn typed<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, WireError> {
    serde_json::from_value(value).map_err(|error| {
        let name = std::any::type_name::<T>();
        WireError::new(format_args!("`{name}` does not take this: {error}"))
    })
}

/// Arguments as text, as most providers send them, or as the object itself.
fn arguments(arguments: Option<&Value>) -> Arguments {
    match arguments {
        None => Arguments::default(),
        Some(Value::String(text)) => text.as_str().into(),
        Some(value) => value.clone().into(),
    }
}

/// What a provider answers instead of a reply.
fn reject_error(reply: &Value) -> Result<(), WireError> {
    match reply.get("error").filter(|error| !error.is_null()) {
        Some(error) => Err(WireError::reported(error)),
        None => Ok(()),
    }
}
