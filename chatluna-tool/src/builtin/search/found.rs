//! What a search has found, read from its result by the formats that have a form of their own for it.

use crate::builtin::SEARCH;
use crate::call::ToolResult;
use crate::definition::ToolDefinition;
use serde_json::Value;

/// The tools that a search has found, and what else it says.
pub(crate) struct Found<'result> {
    /// Those that were loaded, then those that the model had been told of before.
    names: Vec<&'result str>,
    /// Why there is not more.
    pub(crate) notes: Vec<&'result str>,
}

impl<'result> Found<'result> {
    /// `None` where the result is not that of a search, or of one that failed.
    pub(crate) fn of(result: &'result ToolResult) -> Option<Self> {
        if result.name() != SEARCH || result.error().is_some() {
            return None;
        }
        let structured = result.structured()?;
        let texts = |key| {
            let texts = structured.get(key).and_then(Value::as_array);
            texts.into_iter().flatten().filter_map(Value::as_str)
        };
        Some(Self {
            names: texts("loaded").chain(texts("known")).collect(),
            notes: texts("notes").collect(),
        })
    }

    /// Those of the tools that were found, as they were found.
    pub(crate) fn among<'tool>(
        &self,
        tools: &'tool [ToolDefinition],
    ) -> Vec<&'tool ToolDefinition> {
        let named = |name: &&str| tools.iter().find(|tool| tool.name() == *name);
        self.names.iter().filter_map(named).collect()
    }
}
