//! What the formats that load tools themselves have in common.

use crate::definition::ToolDefinition;
use serde_json::Value;

/// What the model is told of at once: what it has found is left to the provider.
pub(super) fn resident<'tool>(
    definitions: &'tool [ToolDefinition],
    deferred: &'tool [ToolDefinition],
) -> impl Iterator<Item = &'tool ToolDefinition> {
    let is_deferred = |name: &str| deferred.iter().any(|tool| tool.name() == name);
    definitions
        .iter()
        .filter(move |tool| !is_deferred(tool.name()))
}

/// A tool of a request, to be loaded when it is found.
pub(super) fn marked(mut tool: Value) -> Value {
    tool["defer_loading"] = true.into();
    tool
}
