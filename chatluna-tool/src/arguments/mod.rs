//! From the raw text of a call's arguments to typed values.
//!
//! A tool made by `#[tool]` has no derived arguments struct. It carries a
//! table of [`Parameter`]s, and one walker ([`Input::read`]) decodes each value
//! of the object straight into the slot of its parameter. That reports every
//! bad parameter at once, and a program pays for decoding once a type, not
//! once a tool.

mod bound;
mod constraint;
mod cursor;
mod details;
mod error;
mod fill;
mod flattened;
mod input;
mod parameter;
mod repair;
mod salvage;
#[cfg(any(feature = "cli", feature = "inventory", feature = "linkme"))]
mod sample;
mod secret;
mod strict;

pub use bound::{Bound, Length, Range};
pub(crate) use constraint::{Patterns, broken};
pub use details::{Details, Literal, Role, json};
pub use error::ArgumentError;
pub(crate) use error::bounded;
pub use fill::Decode;
pub use input::{Input, filled, filled_or};
pub use parameter::{
    Argument, Parameter, parameter, parameter_as, parameter_as_or, parameter_or, parameter_with,
    parameter_with_or,
};
pub use repair::Repair;
pub(crate) use salvage::{enforce, salvage};
pub(crate) use secret::masked;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The longest argument text a call may carry, in bytes (4 MiB).
///
/// The longest replies of today's models are some hundred thousand tokens,
/// well below it.
pub const MAX_ARGUMENT_BYTES: usize = 4 << 20;

/// The arguments of one call: JSON text as the model sent it, not yet parsed.
///
/// Text that is blank or `null` stands for an object without keys: models
/// send both for tools that take nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    text: String,
    /// Why the text is not what the model meant.
    broken: Option<&'static str>,
}

impl Arguments {
    /// Text that a broken stream left behind. It is never run.
    pub(crate) fn broken(text: String, why: &'static str) -> Self {
        let broken = Some(why);
        Self { text, broken }
    }

    /// The same text, never to be run.
    pub(crate) fn cut_off(self) -> Self {
        Self::broken(self.text, "the reply was cut off before they were complete")
    }

    /// Whether the text stands for an object without keys.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self.text.trim_ascii(), "" | "null")
    }

    /// Whether both say the same, in whatever order.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let same = || Some(strict::strict(&self.text)? == strict::strict(&other.text)?);
        self.text == other.text || same().unwrap_or(false)
    }

    /// The arguments with other names in them. Text that is broken stays so.
    pub(crate) fn renamed(&self, rename: impl FnOnce(Value) -> Value) -> Self {
        match strict::strict(&self.text) {
            Some(sent) if self.broken.is_none() => rename(sent).into(),
            _ => self.clone(),
        }
    }

    /// The text, byte for byte.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Decodes the whole object into one value.
    ///
    /// # Errors
    /// [`ArgumentError`] when the text is longer than [`MAX_ARGUMENT_BYTES`],
    /// is no JSON object, or does not fit `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ArgumentError> {
        let text = self.object()?;
        serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => ArgumentError::unfit(&error),
            _ => error::broken(text),
        })
    }

    /// The text with its blank forms read as `{}`.
    #[inline]
    fn object(&self) -> Result<&str, ArgumentError> {
        let is_plain = self.broken.is_none() && self.text.len() <= MAX_ARGUMENT_BYTES;
        if is_plain && self.text.starts_with('{') {
            return Ok(&self.text);
        }
        self.odd_object()
    }

    fn odd_object(&self) -> Result<&str, ArgumentError> {
        if self.text.len() > MAX_ARGUMENT_BYTES {
            return Err(ArgumentError::too_long(self.text.len()));
        }
        if let Some(why) = self.broken {
            return Err(ArgumentError::malformed(format!(
                "the arguments did not arrive whole: {why}; nothing was run"
            )));
        }
        if self.is_blank() {
            return Ok("{}");
        }
        match self.text.trim_ascii() {
            text if text.starts_with('{') => Ok(text),
            text => Err(error::broken(text)),
        }
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        let broken = None;
        Self { text, broken }
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        value.to_string().into()
    }
}
