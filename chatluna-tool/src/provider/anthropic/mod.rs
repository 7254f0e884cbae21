//! Anthropic Messages.

pub mod deferred;

use super::stream::{self, Assemble, Partial, Partials, Sealed, text};
use super::{Dialect, Sent, WireError, arguments, parts, reject_error, typed, value};
use crate::call::{ToolCall, ToolResult};
use crate::definition::ToolDefinition;
use crate::output::{Content, Media, encoded};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The `tools` of a request.
pub fn tools(definitions: &[ToolDefinition]) -> Value {
    let tools = definitions.iter();
    tools.map(|it| tool(it, Dialect::Anthropic)).collect()
}

/// [`tools`] as a type of yours.
///
/// # Errors
/// When the type does not take them.
pub fn tools_as<T: DeserializeOwned>(definitions: &[ToolDefinition]) -> Result<T, WireError> {
    typed(tools(definitions))
}

/// [`tools`] with `strict: true`: the model cannot leave the schema.
///
/// A tool whose schema cannot be said so is sent without; [`ToolDefinition::lowered`] tells why.
pub fn strict_tools(definitions: &[ToolDefinition]) -> Value {
    let tools = definitions.iter();
    tools.map(|it| tool(it, Dialect::AnthropicStrict)).collect()
}

/// [`strict_tools`] as a type of yours.
///
/// # Errors
/// When the type does not take them.
pub fn strict_tools_as<T: DeserializeOwned>(
    definitions: &[ToolDefinition],
) -> Result<T, WireError> {
    typed(strict_tools(definitions))
}

fn tool(definition: &ToolDefinition, dialect: Dialect) -> Value {
    let sent = Sent::of(definition, dialect);
    let mut tool = json!({
        "name": sent.name,
        "description": sent.description,
        "input_schema": sent.schema,
    });
    if sent.strict {
        tool["strict"] = true.into();
    }
    tool
}

/// The calls of a reply: a message, or the list of its content blocks.
///
/// No calls is an empty list: the model is done.
///
/// # Errors
/// When the reply is neither, or not JSON.
///
/// ```
/// use chatluna_tool::anthropic;
///
/// let calls = anthropic::tool_calls(
///     r#"{"role": "assistant", "content": [{"type": "text", "text": "One moment."},
///         {"type": "tool_use", "id": "toolu_1", "name": "ping", "input": {}}]}"#,
/// )?;
/// assert_eq!((&*calls[0].id, &*calls[0].name), ("toolu_1", "ping"));
/// # Ok::<(), chatluna_tool::WireError>(())
/// ```
pub fn tool_calls(reply: &(impl Serialize + ?Sized)) -> Result<Vec<ToolCall>, WireError> {
    let reply = value(reply)?;
    reject_error(&reply)?;
    let blocks = match reply.get("content").unwrap_or(&reply) {
        Value::Array(blocks) => blocks,
        // A message that is only text may be written as text.
        Value::String(_) => return Ok(Vec::new()),
        _ => {
            return Err(WireError::new(
                "the reply has no `content`; give a response of the Messages API or its content blocks",
            ));
        }
    };
    Ok(calls(blocks, text(&reply, "/stop_reason")))
}

/// The last block of a reply that was cut off may hold half of its input.
fn calls(blocks: &[Value], stop_reason: Option<&str>) -> Vec<ToolCall> {
    let calls = blocks.iter().filter(|block| is_call(block)).map(tool_call);
    let mut calls: Vec<ToolCall> = calls.collect();
    if let Some(last) = calls.last_mut()
        && stop_reason.is_some_and(is_cut_off)
        && blocks.last().is_some_and(is_call)
    {
        last.arguments = std::mem::take(&mut last.arguments).cut_off();
    }
    calls
}

fn is_cut_off(stop_reason: &str) -> bool {
    matches!(stop_reason, "max_tokens" | "model_context_window_exceeded")
}

fn is_call(block: &Value) -> bool {
    text(block, "/type") == Some("tool_use")
}

fn tool_call(block: &Value) -> ToolCall {
    let name = text(block, "/name").unwrap_or_default();
    ToolCall::new(name, arguments(block.get("input")))
        .id(text(block, "/id").unwrap_or_default())
        .dialect(Dialect::Anthropic)
}

/// The messages that answer the calls: one user message with a block a result, in order.
///
/// Images (JPEG, PNG, GIF, WebP) and PDF files are blocks of their own within the result.
///
/// What else the user says goes behind these blocks, into the same message or a later one; before
/// them the API refuses it. No results is no message.
pub fn tool_messages(results: &[ToolResult]) -> Value {
    messages(results.iter().map(block).collect())
}

fn messages(blocks: Vec<Value>) -> Value {
    match blocks.is_empty() {
        true => json!([]),
        false => json!([{"role": "user", "content": blocks}]),
    }
}

/// [`tool_messages`] as a type of yours.
///
/// # Errors
/// When the type does not take them.
pub fn tool_messages_as<T: DeserializeOwned>(results: &[ToolResult]) -> Result<T, WireError> {
    typed(tool_messages(results))
}

fn block(result: &ToolResult) -> Value {
    let mut block = answer(result, content(result));
    if result.error().is_some() {
        block["is_error"] = true.into();
    }
    block
}

fn answer(result: &ToolResult, content: Value) -> Value {
    json!({
        "type": "tool_result",
        "tool_use_id": result.id(),
        "content": content,
    })
}

fn content(result: &ToolResult) -> Value {
    let why = "the Messages API has no form for it";
    let text = |text: &str| json!({"type": "text", "text": text});
    parts::value(result, text, media, why)
}

/// <https://docs.anthropic.com/en/docs/build-with-claude/vision>,
/// <https://docs.anthropic.com/en/docs/build-with-claude/pdf-support>
fn media(part: &Content) -> Option<Value> {
    match part {
        Content::Image(image) => match image.mime_type() {
            "image/jpeg" | "image/png" | "image/gif" | "image/webp" => {
                Some(json!({"type": "image", "source": source(image)}))
            }
            _ => None,
        },
        Content::File(file) if file.mime_type() == "application/pdf" => {
            let mut document = json!({"type": "document", "source": source(file)});
            if let Some(name) = file.name() {
                document["title"] = name.into();
            }
            Some(document)
        }
        _ => None,
    }
}

fn source(media: &Media) -> Value {
    json!({
        "type": "base64",
        "media_type": media.mime_type(),
        "data": encoded(media.bytes()),
    })
}

/// Puts the calls of a streamed response together.
pub type Deltas = stream::Deltas<Assembler>;

/// Events of the Messages API. A call is a content block, whose input comes as pieces of JSON text.
#[derive(Debug, Default)]
pub struct Assembler {
    calls: Partials,
    /// The block that began last.
    last: u64,
    done: bool,
}

impl Sealed for Assembler {}

impl Assemble for Assembler {
    fn event(&mut self, event: &Value) {
        let index = stream::index(event, "index");
        match text(event, "/type") {
            Some("content_block_start") => {
                self.last = index;
                if is_call(&event["content_block"]) {
                    self.calls.push((index, begun(&event["content_block"])));
                }
            }
            Some("content_block_delta") => {
                if let Some(call) = stream::find(&mut self.calls, index) {
                    call.arguments += text(event, "/delta/partial_json").unwrap_or_default();
                }
            }
            Some("content_block_stop") => {
                if let Some(call) = stream::find(&mut self.calls, index) {
                    call.ended = true;
                }
            }
            Some("message_delta") if text(event, "/delta/stop_reason").is_some_and(is_cut_off) => {
                if let Some(call) = stream::find(&mut self.calls, self.last) {
                    call.lost = true;
                }
            }
            Some("message_stop") => self.done = true,
            _ => {}
        }
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn lost(&mut self) {
        stream::lose_open(&mut self.calls);
    }

    fn finish(self) -> Vec<ToolCall> {
        stream::finished(self.calls, Dialect::Anthropic)
    }
}

fn begun(block: &Value) -> Partial {
    // `input` is `{}` here and its text follows; a server that does not stream it gives it whole.
    let whole = block["input"].as_object().filter(|input| !input.is_empty());
    Partial {
        id: text(block, "/id").unwrap_or_default().to_owned(),
        name: text(block, "/name").unwrap_or_default().to_owned(),
        arguments: whole
            .map(|input| json!(input).to_string())
            .unwrap_or_default(),
        ..Partial::default()
    }
}
