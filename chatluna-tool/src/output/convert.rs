//! What a tool may return, made into what the model reads.

use super::{Content, Link, Media, ToolOutput};
use crate::error::ToolError;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;
use std::any::Any;
use std::borrow::Cow;
use std::error::Error;
use std::fmt::Display;

/// What a tool may return.
///
/// | type | what the model reads |
/// |---|---|
/// | `()` | `done` |
/// | `String`, `&'static str`, `Cow<'static, str>`, `char`, numbers, `bool` | its text |
/// | `Value` | its JSON text |
/// | [`Json<T>`] | the JSON text of `T`, whose schema becomes the tool's output schema |
/// | [`Content`], [`Media`], [`Link`], `Vec<Content>`, [`ToolOutput`] | its parts |
/// | `Option<T>` | as `T`, or `nothing found` |
/// | `Result<T, E>`, `E: Display` | as `T`, or the error; `{:#}` is used, so `anyhow` shows its chain |
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "not something a model can read",
    note = "wrap a `Serialize` type in `Json`: `-> Json<{Self}>`, or return text"
)]
pub trait IntoToolOutput {
    /// The result as the model reads it.
    ///
    /// # Errors
    /// What the tool returned as an error, or a value that cannot be written as JSON.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;

    /// The schema of [`ToolOutput::structured`], where it is known.
    fn output_schema(_: &mut SchemaGenerator) -> Option<Schema>
    where
        Self: Sized,
    {
        None
    }
}

/// A value that a tool returns as JSON: the model reads its text, programs its structure.
///
/// ```
/// use chatluna_tool::{IntoToolOutput, Json};
///
/// let output = Json(vec![1, 2]).into_tool_output()?;
/// assert_eq!(output.to_text(), "[1,2]");
/// assert_eq!(output.structured(), Some(&serde_json::json!([1, 2])));
/// # Ok::<(), chatluna_tool::ToolError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// What a tool can return as [`Json`]: any `Serialize + JsonSchema` type.
///
/// Implemented for every such type; there is nothing to write by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the `Json` result of a tool",
    label = "needs `Serialize` and `JsonSchema`",
    note = "put `#[chatluna_tool::tool_type]` on your own type, or derive both traits"
)]
pub trait JsonValue: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> JsonValue for T {}

impl<T: JsonValue> IntoToolOutput for Json<T> {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        serde_json::to_value(self.0)?.into_tool_output()
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }
}

impl IntoToolOutput for Value {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text(self.to_string()).with_structured(self))
    }
}

impl IntoToolOutput for () {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text("done"))
    }
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}

impl<T: IntoToolOutput> IntoToolOutput for Option<T> {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        match self {
            Some(value) => value.into_tool_output(),
            None => Ok(ToolOutput::text("nothing found")),
        }
    }
}

impl<T: IntoToolOutput, E: Display + 'static> IntoToolOutput for Result<T, E> {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        self.map_err(into_tool_error)?.into_tool_output()
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::output_schema(generator)
    }
}

/// A [`ToolError`] as it is, also out of a box; anything else as text.
fn into_tool_error<E: Display + 'static>(error: E) -> ToolError {
    let mut error = Some(error);
    let any: &mut dyn Any = &mut error;
    if let Some(own) = any.downcast_mut::<Option<ToolError>>() {
        return own.take().unwrap_or_else(|| ToolError::new(""));
    }
    if let Some(boxed) = any.downcast_mut::<Option<Box<dyn Error + Send + Sync>>>() {
        return boxed.take().map_or_else(|| ToolError::new(""), unboxed);
    }
    error.map_or_else(
        || ToolError::new(""),
        |error| ToolError::new(format_args!("{error:#}")),
    )
}

fn unboxed(error: Box<dyn Error + Send + Sync>) -> ToolError {
    match error.downcast::<ToolError>() {
        Ok(own) => *own,
        Err(other) => ToolError::new(format_args!("{other:#}")),
    }
}

macro_rules! into_content {
    ($($type:ty)*) => {$(
        impl IntoToolOutput for $type {
            fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
                Ok(ToolOutput::from(self))
            }
        }
    )*};
}

macro_rules! into_text {
    ($convert:expr => $($type:ty)*) => {$(
        impl IntoToolOutput for $type {
            fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
                Ok(ToolOutput::text($convert(self)))
            }
        }
    )*};
}

into_content! { Content Media Link Vec<Content> }
into_text! { Cow::from => String &'static str Cow<'static, str> }
into_text! { |value| ToString::to_string(&value) =>
    bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
}
