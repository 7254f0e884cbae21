//! Tools that the API loads as the model finds them (`tool_search`, `defer_loading`).
//!
//! The model searches by the program's own index (`execution: "client"`), and the API writes what was
//! found to the end of its context. The request's `tools` never change then, and neither do the bytes
//! that the API has cached. Models from gpt-5.4 on know it.
//!
//! <https://developers.openai.com/api/docs/guides/tools-tool-search>
//!
//! ```
//! use chatluna_tool::openai::responses::{self, deferred};
//! use chatluna_tool::{Runtime, SessionInfo, ToolMode, tool, tools};
//!
//! /// Tells the weather of a city
//! #[tool(traits(effect = "read"))]
//! async fn forecast(city: &str) {}
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let runtime = Runtime::builder().tools(tools![forecast]).tool_mode(ToolMode::Search).build()?;
//! let session = runtime.session(SessionInfo::new("s"));
//! let searched_for = session.deferred_definitions();
//! let tools = deferred::tools(&session.definitions(), &searched_for);
//! assert_eq!(tools[0]["type"], "tool_search");
//!
//! let reply = r#"{"output": [{"type": "tool_search_call", "execution": "client",
//!     "call_id": "call_1", "arguments": {"queries": ["weather"]}}]}"#;
//! let results = session.execute(responses::tool_calls(reply)?).await;
//! let messages = deferred::tool_messages(&results, &searched_for);
//! assert_eq!(messages[0]["tools"][0]["name"], "forecast");
//! assert_eq!(deferred::tools(&session.definitions(), &searched_for), tools);
//! # Ok(())
//! # }
//! ```

use super::{Dialect, Sent, tool, tool_message};
use crate::builtin::{Found, SEARCH};
use crate::call::ToolResult;
use crate::definition::ToolDefinition;
use crate::provider::deferred::{marked, resident};
use crate::provider::parts;
use serde_json::{Value, json};

/// The `tools` of a request: what the model is told of but for what it searches for
/// ([`Session::deferred_definitions`](crate::Session::deferred_definitions)), with `tool_search` in
/// the API's own form.
pub fn tools(definitions: &[ToolDefinition], deferred: &[ToolDefinition]) -> Value {
    let resident = resident(definitions, deferred);
    resident
        .map(|it| match it.name() {
            SEARCH => search(it),
            _ => tool(it, Dialect::OpenAi),
        })
        .collect()
}

fn search(definition: &ToolDefinition) -> Value {
    let sent = Sent::of(definition, Dialect::OpenAi);
    json!({
        "type": "tool_search",
        "execution": "client",
        "description": sent.description,
        "parameters": sent.schema,
    })
}

/// [`responses::tool_messages`](super::tool_messages), but a search is answered with what it has
/// found, each definition with `defer_loading: true`.
///
/// Such an answer has no room for words: what the search says besides is a message behind all of them,
/// in the user's role.
pub fn tool_messages(results: &[ToolResult], deferred: &[ToolDefinition]) -> Value {
    let mut items = Vec::new();
    let mut texts = Vec::new();
    for result in results {
        if result.name() != SEARCH {
            items.push(tool_message(result));
            continue;
        }
        let (tools, text) = match Found::of(result, deferred) {
            Some(found) => (found.tools, found.notes.join("\n")),
            None => (Vec::new(), parts::text(result, |_| "").into_owned()),
        };
        items.push(output(result, tools));
        texts.extend(Some(text).filter(|text| !text.is_empty()));
    }
    if !texts.is_empty() {
        items.push(json!({"role": "user", "content": texts.join("\n")}));
    }
    items.into()
}

fn output(result: &ToolResult, tools: Vec<&ToolDefinition>) -> Value {
    let tools = tools
        .into_iter()
        .map(|it| marked(tool(it, Dialect::OpenAi)));
    json!({
        "type": "tool_search_output",
        "call_id": result.id(),
        "status": "completed",
        "execution": "client",
        "tools": tools.collect::<Vec<_>>(),
    })
}
