//! Whether the model is sent a tool, or searches for it.

/// When the model is sent a tool's definition.
///
/// A tool that says nothing of itself takes the mode of its session, and that the runtime's.
///
/// ```
/// use chatluna_tool::{ToolDefinition, ToolMode};
///
/// let ping = ToolDefinition::new("ping", "Answers with pong").with_mode(ToolMode::Search);
/// assert_eq!(ping.mode(), Some(ToolMode::Search));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolMode {
    /// Always, in full.
    #[default]
    Direct,
    /// Not until `tool_search` has found it or the model has called it.
    Search,
    /// [`Search`](Self::Search) once the session has more tools than this, else
    /// [`Direct`](Self::Direct).
    Auto(usize),
}
