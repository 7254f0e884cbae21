//! OpenAI's Responses API.

pub mod deferred;

use crate::builtin;
use crate::call::{ToolCall, ToolResult};
use crate::definition::ToolDefinition;
use crate::output::Content;
use crate::provider::stream::{self, Assemble, Partial, Partials, Sealed, text};
use crate::provider::{Dialect, Sent, WireError, arguments, parts, reject_error, typed, value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The `tools` of a request.
pub fn tools(definitions: &[ToolDefinition]) -> Value {
    let tools = definitions.iter();
    tools.map(|it| tool(it, Dialect::OpenAi)).collect()
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
    tools.map(|it| tool(it, Dialect::OpenAiStrict)).collect()
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
    json!({
        "type": "function",
        "name": sent.name,
        "description": sent.description,
        "parameters": sent.schema,
        // Left out, it would be true, and optional arguments would be refused.
        "strict": sent.strict,
    })
}

/// The calls of a reply: a whole response, or its list of output items.
///
/// No calls is an empty list: the model is done.
///
/// # Errors
/// When the reply is neither, or not JSON.
///
/// ```
/// use chatluna_tool::openai::responses;
///
/// let calls = responses::tool_calls(
///     r#"{"output": [{"type": "function_call", "id": "fc_1", "call_id": "call_1",
///         "name": "ping", "arguments": "{}"}]}"#,
/// )?;
/// assert_eq!((&*calls[0].id, &*calls[0].name), ("call_1", "ping"));
/// # Ok::<(), chatluna_tool::WireError>(())
/// ```
pub fn tool_calls(reply: &(impl Serialize + ?Sized)) -> Result<Vec<ToolCall>, WireError> {
    let reply = value(reply)?;
    reject_error(&reply)?;
    let items = reply.get("output").unwrap_or(&reply).as_array();
    let items = items.ok_or_else(|| {
        WireError::new(
            "the reply has no `output`; give a response of the Responses API or its output items",
        )
    })?;
    Ok(items
        .iter()
        .filter(|item| is_call(item))
        .map(tool_call)
        .collect())
}

fn is_call(item: &Value) -> bool {
    text(item, "/type") == Some("function_call") || is_search(item)
}

/// A search that is the program's to make; see [`deferred`].
fn is_search(item: &Value) -> bool {
    text(item, "/type") == Some("tool_search_call") && text(item, "/execution") == Some("client")
}

/// The name of what an item calls.
fn called(item: &Value) -> &str {
    match is_search(item) {
        true => builtin::SEARCH,
        false => text(item, "/name").unwrap_or_default(),
    }
}

/// An item that a limit cut off is marked.
fn is_incomplete(item: &Value) -> bool {
    text(item, "/status") == Some("incomplete")
}

fn tool_call(item: &Value) -> ToolCall {
    let name = called(item);
    let arguments = arguments(item.get("arguments"));
    let arguments = if is_incomplete(item) {
        arguments.cut_off()
    } else {
        arguments
    };
    ToolCall::new(name, arguments)
        .id(text(item, "/call_id").unwrap_or_default())
        .dialect(Dialect::OpenAi)
}

/// The input items that answer the calls: one a result, in order.
///
/// Images (JPEG, PNG, GIF, WebP) and the files that the API reads (PDF, text, office documents) are
/// parts of their own within the result.
pub fn tool_messages(results: &[ToolResult]) -> Value {
    results.iter().map(tool_message).collect()
}

/// [`tool_messages`] as a type of yours.
///
/// # Errors
/// When the type does not take them.
pub fn tool_messages_as<T: DeserializeOwned>(results: &[ToolResult]) -> Result<T, WireError> {
    typed(tool_messages(results))
}

fn tool_message(result: &ToolResult) -> Value {
    json!({
        "type": "function_call_output",
        "call_id": result.id(),
        "output": output(result),
    })
}

fn output(result: &ToolResult) -> Value {
    let why = "the Responses API has no form for it";
    let text = |text: &str| json!({"type": "input_text", "text": text});
    parts::value(result, text, media, why)
}

fn media(part: &Content) -> Option<Value> {
    match part {
        Content::Image(image) => match image.mime_type() {
            "image/jpeg" | "image/png" | "image/gif" | "image/webp" => {
                Some(json!({"type": "input_image", "image_url": parts::data_url(image)}))
            }
            _ => None,
        },
        Content::File(file) if is_read(file.mime_type()) => Some(json!({
            "type": "input_file",
            // Required beside the data.
            "filename": file.name().unwrap_or("file"),
            "file_data": parts::data_url(file),
        })),
        _ => None,
    }
}

/// Whether the API takes files of the type.
///
/// <https://developers.openai.com/api/docs/guides/file-inputs>
fn is_read(mime_type: &str) -> bool {
    let office = "application/vnd.openxmlformats-officedocument.";
    let other = [
        "application/json",
        "application/msword",
        "application/pdf",
        "application/rtf",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.oasis.opendocument.text",
    ];
    mime_type.starts_with("text/") || mime_type.starts_with(office) || other.contains(&mime_type)
}

/// Puts the calls of a streamed response together.
pub type Deltas = stream::Deltas<Assembler>;

/// Events of the Responses API. Each names the output item that it belongs to; the event that ends
/// an item repeats the whole of it.
#[derive(Debug, Default)]
pub struct Assembler {
    calls: Partials,
    done: bool,
}

impl Sealed for Assembler {}

impl Assemble for Assembler {
    fn event(&mut self, event: &Value) {
        let index = stream::index(event, "output_index");
        match text(event, "/type") {
            Some("response.output_item.added") => self.item(index, &event["item"], false),
            Some("response.output_item.done") => self.item(index, &event["item"], true),
            Some("response.function_call_arguments.delta") => {
                if let Some(call) = stream::find(&mut self.calls, index) {
                    call.arguments += text(event, "/delta").unwrap_or_default();
                }
            }
            Some("response.function_call_arguments.done") => {
                if let Some(call) = stream::find(&mut self.calls, index) {
                    whole(call, &event["arguments"]);
                }
            }
            Some("response.completed" | "response.incomplete") => {
                self.done = true;
                let items = event.pointer("/response/output").and_then(Value::as_array);
                for (index, item) in (0..).zip(items.into_iter().flatten()) {
                    self.item(index, item, true);
                }
            }
            _ => {}
        }
    }

    fn lost(&mut self) {
        stream::lose_open(&mut self.calls);
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn finish(mut self) -> Vec<ToolCall> {
        self.calls.sort_by_key(|(index, _)| *index);
        stream::finished(self.calls, Dialect::OpenAi)
    }
}

impl Assembler {
    fn item(&mut self, index: u64, item: &Value, done: bool) {
        if !is_call(item) {
            return;
        }
        if stream::find(&mut self.calls, index).is_none() {
            self.calls.push((index, Partial::default()));
        }
        let Some(call) = stream::find(&mut self.calls, index) else {
            return;
        };
        text(item, "/call_id")
            .unwrap_or_default()
            .clone_into(&mut call.id);
        called(item).clone_into(&mut call.name);
        // A reply that was cut off by a limit ends its last item without completing it.
        if is_incomplete(item) {
            (call.lost, call.ended) = (true, false);
        } else if done {
            whole(call, &item["arguments"]);
        }
    }
}

/// The provider's own last word on a call's arguments; it makes good what was lost.
fn whole(call: &mut Partial, arguments: &Value) {
    call.arguments = match arguments {
        Value::String(text) => text.clone(),
        // Those of a search are not text.
        Value::Object(_) => arguments.to_string(),
        _ => return,
    };
    call.ended = true;
    call.lost = false;
}
