//! `tool_search`
use super::Builtin;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::fn_tool::FnTool;
use crate::session::View;
use crate::tool::{Effect, Traits};
use serde_json::{Value, json};

pub(super) fn tool() -> Builtin {
    let definition = ToolDefinition::new("tool_search", "x")
        .traits(Traits::new().parallel().effect(Effect::Read));
    Builtin::new(
        FnTool::new(definition, |_: Value, _: CallContext| async { "nothing" }),
        |view| view.can_search(),
    )
}

pub(crate) fn described(_view: &View<'_>, definition: &ToolDefinition) -> ToolDefinition {
    definition.clone()
}

/// A definition as a model reads it.
pub(crate) fn written(definition: &ToolDefinition) -> String {
    json!({"name": definition.name(), "description": definition.description(), "parameters": definition.parameters()}).to_string()
}
