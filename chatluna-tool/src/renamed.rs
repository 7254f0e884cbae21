//! A tool under another name.

use crate::arguments::{ArgumentError, Arguments};
use crate::definition::ToolDefinition;
use crate::identity::SessionInfo;
use crate::tool::{PreparedCall, Tool};
use std::fmt;
use std::sync::Arc;

/// Any tool under another name: models, policies, filters and events know it by that one alone.
///
/// ```
/// use chatluna_tool::{Effect, FnTool, Owner, Renamed, Runtime, ToolDefinition, Traits};
/// use serde_json::Value;
///
/// # fn main() -> Result<(), chatluna_tool::BuildError> {
/// let definition = ToolDefinition::new("search", "Searches the wiki")
///     .traits(Traits::new().effect(Effect::Read));
/// let search = FnTool::new(definition, |_: Value, _| async { "nothing" });
///
/// let runtime = Runtime::builder().build()?;
/// let plugin = runtime.register(Owner::Global, Renamed::prefixed("wiki", search))?;
/// assert_eq!(plugin.names().collect::<Vec<_>>(), ["wiki_search"]);
/// # Ok(())
/// # }
/// ```
pub struct Renamed {
    tool: Arc<dyn Tool>,
    definition: ToolDefinition,
}

impl Renamed {
    /// The tool under this name, which is checked when the tool is registered.
    pub fn new(name: impl AsRef<str>, tool: impl Tool) -> Self {
        let definition = tool.definition().renamed(name.as_ref());
        let tool = Arc::new(tool);
        Self { tool, definition }
    }

    /// The tool under its name behind `prefix` and `_`.
    pub fn prefixed(prefix: impl AsRef<str>, tool: impl Tool) -> Self {
        let name = format!("{}_{}", prefix.as_ref(), tool.definition().name());
        Self::new(name, tool)
    }
}

impl fmt::Debug for Renamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Renamed").field(&self.definition).finish()
    }
}

impl Tool for Renamed {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn visible(&self, session: &SessionInfo) -> bool {
        self.tool.visible(session)
    }

    fn prepare(
        self: Arc<Self>,
        arguments: &Arguments,
    ) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        Arc::clone(&self.tool).prepare(arguments)
    }
}

/// A tool that is shared.
impl<T: Tool + ?Sized> Tool for Arc<T> {
    fn definition(&self) -> &ToolDefinition {
        (**self).definition()
    }

    fn visible(&self, session: &SessionInfo) -> bool {
        (**self).visible(session)
    }

    fn prepare(
        self: Arc<Self>,
        arguments: &Arguments,
    ) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        T::prepare(Arc::clone(&*self), arguments)
    }
}
