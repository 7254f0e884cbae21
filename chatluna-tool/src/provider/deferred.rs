//! What the formats that load tools themselves have in common.

use crate::builtin::{Found, SEARCH};
use crate::call::ToolResult;
use crate::definition::ToolDefinition;

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

pub(super) fn is_search(name: &str) -> bool {
    name == SEARCH
}

/// What a search has found of the tools, and its notes; `None` where that is nothing, or the result
/// is another.
pub(super) fn found<'a>(
    result: &'a ToolResult,
    deferred: &'a [ToolDefinition],
) -> Option<(Vec<&'a ToolDefinition>, Vec<&'a str>)> {
    let found = Found::of(result)?;
    let tools = found.among(deferred);
    (!tools.is_empty()).then_some((tools, found.notes))
}
