//! Whose a tool is.

use std::fmt;

/// Whose a tool is. Names are unique per owner; where an agent has a tool of a name that everybody's
/// tools have too, its sessions see its own.
///
/// ```
/// use chatluna_tool::{FnTool, Owner, Runtime, SessionInfo, ToolDefinition, Traits, Effect};
/// use serde_json::Value;
///
/// # fn main() -> Result<(), chatluna_tool::BuildError> {
/// let greeting = |text: &'static str| {
///     let traits = Traits::new().effect(Effect::Read);
///     let definition = ToolDefinition::new("greet", text).traits(traits);
///     FnTool::new(definition, move |_: Value, _| async move { text })
/// };
/// let runtime = Runtime::builder().tool(greeting("hello")).build()?;
/// let plugin = runtime.register(Owner::agent("planner"), greeting("let us plan"))?;
///
/// let planner = runtime.session(SessionInfo::new("a").agent("planner"));
/// let other = runtime.session(SessionInfo::new("b"));
/// assert_eq!(planner.definitions()[0].description(), "let us plan");
/// assert_eq!(other.definitions()[0].description(), "hello");
/// drop(plugin);
/// assert_eq!(planner.definitions()[0].description(), "hello");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Owner {
    /// Everybody's: every session may see it.
    #[default]
    Global,
    /// The agent's of this name: only its sessions may see it.
    Agent(String),
}

impl Owner {
    /// The agent of this name.
    pub fn agent(name: impl Into<String>) -> Self {
        Self::Agent(name.into())
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global => f.write_str("everybody"),
            Self::Agent(name) => write!(f, "the agent `{name}`"),
        }
    }
}
