//! What a search has found, read from its result by the formats that have a form of their own for it.

use crate::builtin::SEARCH;
use crate::call::ToolResult;
use crate::definition::ToolDefinition;
use serde_json::Value;

/// The tools that a search has found, and what else it says.
pub(crate) struct Found<'a> {
    /// Those that were loaded, then those that the model had been told of before.
    pub(crate) tools: Vec<&'a ToolDefinition>,
    /// Why there is not more.
    pub(crate) notes: Vec<&'a str>,
}

impl<'a> Found<'a> {
    /// `None` where the result is not that of a search, or of one that found none of these tools.
    pub(crate) fn of(result: &'a ToolResult, tools: &'a [ToolDefinition]) -> Option<Self> {
        if result.name() != SEARCH || result.error().is_some() {
            return None;
        }
        let structured = result.structured()?;
        let texts = |key| {
            let texts = structured.get(key).and_then(Value::as_array);
            texts.into_iter().flatten().filter_map(Value::as_str)
        };
        let named = |name| tools.iter().find(|tool| tool.name() == name);
        let names = texts("loaded").chain(texts("known"));
        let tools: Vec<_> = names.filter_map(named).collect();
        let notes = texts("notes").collect();
        (!tools.is_empty()).then_some(Self { tools, notes })
    }
}
