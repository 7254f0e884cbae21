//! OpenAI Chat Completions, and everything that speaks it.

use super::{WireError, typed, value};
use crate::arguments::Arguments;
use crate::call::{ToolCall, ToolResult};
use crate::definition::ToolDefinition;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The `tools` of a request.
///
/// ```
/// use chatluna_tool::{ToolDefinition, openai};
///
/// let tools = openai::tools(&[ToolDefinition::new("ping", "Answers with pong")]);
/// assert_eq!(tools[0]["function"]["name"], "ping");
/// ```
pub fn tools(definitions: &[ToolDefinition]) -> Value {
    definitions.iter().map(tool).collect()
}

/// [`tools`] as a type of yours, such as a client crate's `Vec<ChatCompletionTool>`.
///
/// # Errors
/// When the type does not take them.
pub fn tools_as<T: DeserializeOwned>(definitions: &[ToolDefinition]) -> Result<T, WireError> {
    typed(tools(definitions))
}

fn tool(definition: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": definition.name(),
            "description": definition.description(),
            "parameters": definition.parameters(),
        },
    })
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
    Ok(list.iter().map(tool_call).collect())
}

/// The part of a reply that holds the calls.
fn message(reply: &Value) -> Result<&Value, WireError> {
    if let Some(error) = reply.get("error").filter(|error| !error.is_null()) {
        return Err(WireError::new(format_args!(
            "the reply is an error: {error}"
        )));
    }
    if let Some(choices) = reply.get("choices") {
        return choices
            .pointer("/0/message")
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
    let text = |pointer: &str| call.pointer(pointer).and_then(Value::as_str);
    let arguments = match call.pointer("/function/arguments") {
        None => Arguments::default(),
        Some(Value::String(text)) => text.as_str().into(),
        // Some servers send the object itself.
        Some(value) => value.clone().into(),
    };
    ToolCall::new(text("/function/name").unwrap_or_default(), arguments)
        .id(text("/id").unwrap_or_default())
}

/// The messages that answer the calls: one a result, in order.
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
        "content": result.text(),
    })
}
