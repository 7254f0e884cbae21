//! Tools that the API loads itself (`defer_loading`).
//!
//! The model searches with `tool_search`, by the program's own index; what it finds the API writes
//! into the conversation, from the request's `tools`. These never change then, and neither do the
//! bytes that the API has cached, whatever is found. Every request holds all definitions, up to the
//! API's 10,000.
//!
//! <https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool>
//!
//! ```
//! use chatluna_tool::anthropic::{self, deferred};
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
//! assert_eq!(tools[1]["defer_loading"], true);
//!
//! let reply = r#"[{"type": "tool_use", "id": "toolu_1", "name": "tool_search",
//!     "input": {"queries": ["weather"]}}]"#;
//! let results = session.execute(anthropic::tool_calls(reply)?).await;
//! let messages = deferred::tool_messages(&results, &searched_for);
//! assert_eq!(messages[0]["content"][0]["content"][0]["tool_name"], "forecast");
//! assert_eq!(deferred::tools(&session.definitions(), &searched_for), tools);
//! # Ok(())
//! # }
//! ```

use super::{Dialect, answer, block, messages, tool};
use crate::builtin::Found;
use crate::call::ToolResult;
use crate::definition::ToolDefinition;
use crate::provider::deferred::{marked, resident};
use crate::provider::tool_name;
use serde_json::{Value, json};

/// The `tools` of a request: what the model is told of, then what it searches for
/// ([`Session::deferred_definitions`](crate::Session::deferred_definitions)) with
/// `defer_loading: true`.
///
/// The API refuses a request whose tools are all deferred; as long as there are any, `tool_search` is
/// among those that are not. A deferred tool cannot carry `cache_control`.
pub fn tools(definitions: &[ToolDefinition], deferred: &[ToolDefinition]) -> Value {
    let resident = resident(definitions, deferred).map(|it| tool(it, Dialect::Anthropic));
    let deferred = deferred
        .iter()
        .map(|it| marked(tool(it, Dialect::Anthropic)));
    resident.chain(deferred).collect()
}

/// [`anthropic::tool_messages`](super::tool_messages), but of a search the API is told the names of
/// what was found (`tool_reference`) and writes the definitions itself.
///
/// What the search says besides stands behind all results.
pub fn tool_messages(results: &[ToolResult], deferred: &[ToolDefinition]) -> Value {
    let mut blocks = Vec::new();
    // A text between results is refused, and so is one beside references.
    let mut texts = Vec::new();
    for result in results {
        let Some(found) = Found::of(result, deferred) else {
            blocks.push(block(result));
            continue;
        };
        let references = found.tools.into_iter().map(reference).collect();
        blocks.push(answer(result, references));
        texts.extend(found.notes);
    }
    if !texts.is_empty() {
        blocks.push(json!({"type": "text", "text": texts.join("\n")}));
    }
    messages(blocks)
}

fn reference(tool: &ToolDefinition) -> Value {
    json!({
        "type": "tool_reference",
        "tool_name": tool_name(tool.name(), Dialect::Anthropic),
    })
}
