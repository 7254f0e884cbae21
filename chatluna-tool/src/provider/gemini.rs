//! Gemini `generateContent`.

use super::stream::{self, Assemble, Sealed, text};
use super::{Dialect, Sent, WireError, arguments, parts, reject_error, typed, value};
use crate::arguments::Arguments;
use crate::call::{ToolCall, ToolResult};
use crate::definition::ToolDefinition;
use crate::output::{Content, Media, encoded};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io;

/// The `tools` of a request: one tool that declares all functions.
pub fn tools(definitions: &[ToolDefinition]) -> Value {
    if definitions.is_empty() {
        return json!([]);
    }
    let declarations: Vec<Value> = definitions.iter().map(declaration).collect();
    json!([{"functionDeclarations": declarations}])
}

/// [`tools`] as a type of yours.
///
/// # Errors
/// When the type does not take them.
pub fn tools_as<T: DeserializeOwned>(definitions: &[ToolDefinition]) -> Result<T, WireError> {
    typed(tools(definitions))
}

fn declaration(definition: &ToolDefinition) -> Value {
    let sent = Sent::of(definition, Dialect::Gemini);
    let mut declaration = json!({"name": sent.name, "description": sent.description});
    // "parameters.properties: should be non-empty for OBJECT type"
    if sent.schema["properties"] != json!({}) {
        declaration["parameters"] = sent.schema.clone();
    }
    declaration
}

/// The calls of a reply: a response (its first candidate), a content, or the list of its parts.
///
/// No calls is an empty list: the model is done. Older models give no ids; theirs are empty.
///
/// # Errors
/// When the reply is none of these, or not JSON.
///
/// ```
/// use chatluna_tool::gemini;
///
/// let calls = gemini::tool_calls(
///     r#"{"candidates": [{"content": {"role": "model", "parts": [
///         {"functionCall": {"id": "1", "name": "ping", "args": {}}}]}}]}"#,
/// )?;
/// assert_eq!((&*calls[0].id, &*calls[0].name), ("1", "ping"));
/// # Ok::<(), chatluna_tool::WireError>(())
/// ```
pub fn tool_calls(reply: &(impl Serialize + ?Sized)) -> Result<Vec<ToolCall>, WireError> {
    let reply = value(reply)?;
    reject_error(&reply)?;
    let calls = calls(parts(&reply)?);
    match text(&reply, "/candidates/0/finishReason") {
        Some(reason @ ("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL")) if calls.is_empty() => {
            Err(WireError::new(format_args!(
                "the model's call could not be read by the API ({reason}); send the request again"
            )))
        }
        _ => Ok(calls),
    }
}

/// The parts of a reply. A blocked prompt or candidate has none.
fn parts(reply: &Value) -> Result<&[Value], WireError> {
    let content = match reply.get("candidates") {
        Some(candidates) => candidates.pointer("/0/content"),
        None if reply.get("promptFeedback").is_some() => None,
        None => Some(reply),
    };
    let Some(content) = content else {
        return Ok(&[]);
    };
    let parts = content.get("parts").unwrap_or(content);
    match parts.as_array() {
        Some(parts) => Ok(parts),
        // A candidate that was stopped before its first part.
        None if content.get("role").is_some() => Ok(&[]),
        None => Err(WireError::new(
            "the reply has no `candidates`; give a response of generateContent or its content",
        )),
    }
}

fn calls(parts: &[Value]) -> Vec<ToolCall> {
    let calls = parts.iter().filter_map(|part| part.get("functionCall"));
    calls.map(tool_call).collect()
}

fn tool_call(call: &Value) -> ToolCall {
    let name = text(call, "/name").unwrap_or_default();
    ToolCall::new(name, call_arguments(call))
        .id(text(call, "/id").unwrap_or_default())
        .dialect(Dialect::Gemini)
}

/// Arguments in pieces come only on request, and are not read in this version.
fn call_arguments(call: &Value) -> Arguments {
    if is_piece(call) {
        return Arguments::broken(String::new(), "`partialArgs` are not supported");
    }
    arguments(call.get("args"))
}

fn is_piece(call: &Value) -> bool {
    call.get("partialArgs").is_some() || call["willContinue"] == true
}

/// The contents that answer the calls: one, with a part a result, in order.
///
/// Ids are echoed. A result is an object: the tool's own when it returned one, else its text as
/// `output`; a failure is `error`. No results is no content.
///
/// Images (JPEG, PNG, WebP), PDF files and plain text files stand beside it, which models before
/// Gemini 3 refuse: for them there is [`text_tool_messages`].
pub fn tool_messages(results: &[ToolResult]) -> Value {
    messages(results, media)
}

/// [`tool_messages`] for models before Gemini 3: media are described.
pub fn text_tool_messages(results: &[ToolResult]) -> Value {
    messages(results, |_| None)
}

fn messages(results: &[ToolResult], media: fn(&Content) -> Option<&Media>) -> Value {
    if results.is_empty() {
        return json!([]);
    }
    let parts = results.iter().map(|result| part(result, media));
    let parts: Vec<Value> = parts.collect();
    json!([{"role": "user", "parts": parts}])
}

/// [`tool_messages`] as a type of yours.
///
/// # Errors
/// When the type does not take them.
pub fn tool_messages_as<T: DeserializeOwned>(results: &[ToolResult]) -> Result<T, WireError> {
    typed(tool_messages(results))
}

fn part(result: &ToolResult, media: fn(&Content) -> Option<&Media>) -> Value {
    // A failure is told in words.
    let media = match result.error() {
        Some(_) => |_: &Content| None,
        None => media,
    };
    let shown: Vec<&Media> = result.content().iter().filter_map(media).collect();
    let text = parts::text(result, |part| match media(part) {
        Some(_) => "",
        None => "the Gemini API has no form for it",
    });
    let mut response = json!({"name": result.name(), "response": response(result, text)});
    if !result.id().is_empty() {
        response["id"] = result.id().into();
    }
    if !shown.is_empty() {
        response["parts"] = shown.into_iter().map(inline_data).collect();
    }
    json!({"functionResponse": response})
}

fn response(result: &ToolResult, text: Cow<'_, str>) -> Value {
    match (result.error(), result.structured()) {
        (Some(_), _) => json!({"error": text}),
        // Text of its own was written for the model, and a text that was cut is all it gets.
        (None, Some(object @ Value::Object(_)))
            if is_text_of(&text, object) && !holds_reference(object) =>
        {
            object.clone()
        }
        (None, _) => json!({"output": text}),
    }
}

/// The media that a response may hold.
///
/// <https://ai.google.dev/gemini-api/docs/function-calling#multimodal>
fn media(part: &Content) -> Option<&Media> {
    let (media, taken) = match part {
        Content::Image(image) => (image, &["image/jpeg", "image/png", "image/webp"][..]),
        Content::File(file) => (file, &["application/pdf", "text/plain"][..]),
        _ => return None,
    };
    taken.contains(&media.mime_type()).then_some(media)
}

fn inline_data(media: &Media) -> Value {
    json!({"inlineData": {"mimeType": media.mime_type(), "data": encoded(media.bytes())}})
}

/// Whether the text is the JSON of the value; no more of that is made than they have in common.
fn is_text_of(text: &str, value: &Value) -> bool {
    struct Rest<'text>(&'text [u8]);
    impl io::Write for Rest<'_> {
        fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
            let rest = self
                .0
                .strip_prefix(piece)
                .ok_or(io::ErrorKind::InvalidData)?;
            self.0 = rest;
            Ok(piece.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut rest = Rest(text.as_bytes());
    serde_json::to_writer(&mut rest, value).is_ok() && rest.0.is_empty()
}

/// The API refuses responses with a `$ref` key anywhere.
fn holds_reference(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.contains_key("$ref") || map.values().any(holds_reference),
        Value::Array(items) => items.iter().any(holds_reference),
        _ => false,
    }
}

/// Puts the calls of a streamed response together.
pub type Deltas = stream::Deltas<Assembler>;

/// Chunks of `streamGenerateContent`, as events or as an array. A call comes whole in one chunk.
#[derive(Debug, Default)]
pub struct Assembler {
    calls: Vec<ToolCall>,
    done: bool,
}

impl Sealed for Assembler {}

impl Assemble for Assembler {
    fn event(&mut self, event: &Value) {
        let calls = calls(parts(event).unwrap_or_default());
        // Pieces that follow the first of a call have no name.
        self.calls
            .extend(calls.into_iter().filter(|call| !call.name.is_empty()));
        let reason = text(event, "/candidates/0/finishReason");
        self.done |= reason.is_some() || event.get("promptFeedback").is_some();
    }

    /// A call that was lost with its chunk left no trace; the others are whole.
    fn lost(&mut self) {}

    fn is_done(&self) -> bool {
        self.done
    }

    fn finish(self) -> Vec<ToolCall> {
        self.calls
    }
}
