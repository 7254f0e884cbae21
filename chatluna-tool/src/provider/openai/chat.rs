//! OpenAI Chat Completions, and everything that speaks it.

use crate::call::{ToolCall, ToolResult};
use crate::definition::ToolDefinition;
use crate::provider::stream::{self, Assemble, Partial, Partials, Sealed, text};
use crate::provider::{Dialect, Sent, WireError, arguments, parts, reject_error, typed, value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The `tools` of a request. The API refuses an empty list: without tools, leave the key out.
///
/// ```
/// use chatluna_tool::{ToolDefinition, openai};
///
/// let tools = openai::tools(&[ToolDefinition::new("ping", "Answers with pong")]);
/// assert_eq!(tools[0]["function"]["name"], "ping");
/// ```
pub fn tools(definitions: &[ToolDefinition]) -> Value {
    let tools = definitions.iter();
    tools.map(|it| tool(it, Dialect::OpenAi)).collect()
}

/// [`tools`] as a type of yours, such as a client crate's `Vec<ChatCompletionTool>`.
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
    let mut function = json!({
        "name": sent.name,
        "description": sent.description,
        "parameters": sent.schema,
    });
    if sent.strict {
        function["strict"] = true.into();
    }
    json!({"type": "function", "function": function})
}

/// The calls of a reply: a whole response (its first choice), a message, or a list of calls.
///
/// No calls is an empty list: the model is done. A call that lacks its id,
/// name or arguments is still a call, with an empty one: it will be answered.
///
/// # Errors
/// When the reply is none of these, or not JSON.
///
/// ```
/// use chatluna_tool::openai;
///
/// let calls = openai::tool_calls(r#"{"role": "assistant", "content": "Done."}"#)?;
/// assert!(calls.is_empty());
/// # Ok::<(), chatluna_tool::WireError>(())
/// ```
pub fn tool_calls(reply: &(impl Serialize + ?Sized)) -> Result<Vec<ToolCall>, WireError> {
    let reply = value(reply)?;
    let list = match message(&reply)? {
        Value::Array(list) => list,
        message => match message.get("tool_calls") {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(WireError::new("`tool_calls` is no array")),
        },
    };
    let mut calls: Vec<ToolCall> = list.iter().map(tool_call).collect();
    let reason = choice(&reply).and_then(|choice| text(choice, "/finish_reason"));
    if let Some(last) = calls.last_mut()
        && reason.is_some_and(is_cut_off)
        && last.arguments.is_blank()
    {
        last.arguments = std::mem::take(&mut last.arguments).cut_off();
    }
    Ok(calls)
}

/// Whether the reply ended in the middle. Blank arguments then mean none that arrived.
fn is_cut_off(finish_reason: &str) -> bool {
    matches!(finish_reason, "length" | "content_filter")
}

/// The first choice of a response or a chunk; a chunk may hold any of them.
fn choice(reply: &Value) -> Option<&Value> {
    let choices = reply.get("choices")?.as_array()?;
    let is_first = |choice: &&Value| choice.get("index").is_none_or(|index| index == 0);
    choices.iter().find(is_first)
}

/// The part of a reply that holds the calls.
fn message(reply: &Value) -> Result<&Value, WireError> {
    reject_error(reply)?;
    if reply.get("choices").is_some() {
        return choice(reply)
            .and_then(|choice| choice.get("message"))
            .ok_or_else(|| WireError::new("the reply has no `choices[0].message`"));
    }
    let known = reply.is_array()
        || ["role", "content", "tool_calls"]
            .iter()
            .any(|key| reply.get(key).is_some());
    known.then_some(reply).ok_or_else(|| {
        WireError::new("the reply has neither `choices` nor `tool_calls`; give a Chat Completions response or message")
    })
}

fn tool_call(call: &Value) -> ToolCall {
    let name = text(call, "/function/name").unwrap_or_default();
    ToolCall::new(name, arguments(call.pointer("/function/arguments")))
        .id(text(call, "/id").unwrap_or_default())
        .dialect(Dialect::OpenAi)
}

/// The messages that answer the calls: one a result, in order.
///
/// They carry text only: media are described.
pub fn tool_messages(results: &[ToolResult]) -> Value {
    results.iter().map(tool_message).collect()
}

/// [`tool_messages`] as a type of yours, such as a client crate's list of messages.
///
/// # Errors
/// When the type does not take them.
pub fn tool_messages_as<T: DeserializeOwned>(results: &[ToolResult]) -> Result<T, WireError> {
    typed(tool_messages(results))
}

fn tool_message(result: &ToolResult) -> Value {
    json!({
        "role": "tool",
        "tool_call_id": result.id(),
        "content": parts::text(result, |_| "this provider's tool messages carry text only"),
    })
}

/// Puts the calls of a streamed response together.
pub type Deltas = stream::Deltas<Assembler>;

/// Chunks of Chat Completions. Calls come one after the other, each piece with the index of its call.
#[derive(Debug, Default)]
pub struct Assembler {
    calls: Partials,
    done: bool,
}

impl Sealed for Assembler {}

impl Assemble for Assembler {
    fn event(&mut self, event: &Value) {
        let Some(choice) = choice(event) else {
            return;
        };
        let message = choice.get("delta").or_else(|| choice.get("message"));
        let pieces = message.and_then(|message| message.get("tool_calls"));
        for piece in pieces.and_then(Value::as_array).into_iter().flatten() {
            self.add(piece);
        }
        if let Some(reason) = text(choice, "/finish_reason") {
            self.done = true;
            if !is_cut_off(reason) {
                self.end_last();
            }
        }
    }

    fn lost(&mut self) {
        // All but the last have ended.
        stream::lose_open(&mut self.calls);
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn finish(self) -> Vec<ToolCall> {
        stream::finished(self.calls, Dialect::OpenAi)
    }
}

impl Assembler {
    fn add(&mut self, piece: &Value) {
        let call = self.call_of(piece);
        if call.id.is_empty() {
            call.id += text(piece, "/id").unwrap_or_default();
        }
        if call.name.is_empty() {
            call.name += text(piece, "/function/name").unwrap_or_default();
        }
        match piece.pointer("/function/arguments") {
            Some(Value::String(text)) => call.arguments += text,
            Some(Value::Null) | None => {}
            Some(whole) => call.arguments = whole.to_string(),
        }
    }

    /// The call that a piece belongs to: the last one of its index. Some servers number every call
    /// 0, or none; then an id that differs begins a new one.
    fn call_of(&mut self, piece: &Value) -> &mut Partial {
        let index = stream::index(piece, "index");
        let id = text(piece, "/id").unwrap_or_default();
        let same = |(other, call): &(u64, Partial)| {
            *other == index && (id.is_empty() || call.id.is_empty() || call.id == id)
        };
        let known = self.calls.iter().rposition(same);
        let at = known.unwrap_or_else(|| {
            self.end_last();
            self.calls.push((index, Partial::default()));
            self.calls.len() - 1
        });
        &mut self.calls[at].1
    }

    fn end_last(&mut self) {
        if let Some((_, call)) = self.calls.last_mut() {
            call.ended = true;
        }
    }
}
