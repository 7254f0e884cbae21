//! Annotate an `async fn`, and language models can call it.
#![forbid(unsafe_code)]

mod arguments;
mod build_error;
mod call;
mod context;
mod deadline;
mod definition;
mod error;
mod fn_tool;
mod guard;
mod name;
mod narrowing;
mod nearest;
mod output;
mod permission;
pub mod provider;
mod registry;
mod runtime;
mod scheduler;
mod schema;
mod session;
mod state;
mod tool;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use arguments::{Argument, ArgumentError, Arguments, MAX_ARGUMENT_BYTES};
pub use build_error::{BuildError, Fault};
pub use call::{ToolCall, ToolResult};
#[cfg(feature = "macros")]
pub use chatluna_tool_macros::{tool, tool_type};
pub use context::CallContext;
pub use definition::ToolDefinition;
pub use error::{ErrorKind, ToolError};
pub use fn_tool::FnTool;
pub use name::{MAX_NAME_BYTES, ToolName, is_valid_name};
pub use output::{Content, IntoToolOutput, Json, ToolOutput};
pub use permission::{
    AllowAll, Answer, ApprovalRequest, Approver, DenyAll, Permission, PermissionPolicy, Rule,
    Verdict,
};
pub use provider::{WireError, openai};
pub use registry::{Origin, Registry};
pub use runtime::{DEFAULT_TIMEOUT, Runtime, RuntimeBuilder};
pub use session::{Session, SessionInfo};
pub use state::State;
pub use tool::{Effect, PreparedCall, Tool, Traits};

/// A boxed future that threads can pass on.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
