//! Annotate an `async fn`, and language models can call it.
//!
//! ```standalone_crate
//! use chatluna_tool::{Runtime, SessionInfo, openai, tool};
//!
//! /// Current weather of a city
//! #[tool(traits(parallel, effect = "read"))]
//! async fn weather(
//!     /// The city, in any language
//!     city: String,
//! ) -> String {
//!     format!("{city}: sunny")
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let runtime = Runtime::builder().collect().build()?;
//! let session = runtime.session(SessionInfo::new("demo"));
//! let tools = openai::tools(&session.definitions()); // goes to the model
//! # assert_eq!(tools[0]["function"]["name"], "weather");
//! # let reply = r#"{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//! #     "function": {"name": "weather", "arguments": "{\"city\": \"Oslo\"}"}}]}"#;
//! let results = session.execute(openai::tool_calls(reply)?).await;
//! let back = openai::tool_messages(&results); // goes back to the model
//! # assert_eq!(back[0]["content"], "Oslo: sunny");
//! # Ok(())
//! # }
//! ```
//!
//! [`tool`] documents the attribute, [`RuntimeBuilder`] what a program sets
//! up once, [`Session`] what it does per conversation, [`PermissionPolicy`]
//! who decides about effects, [`openai`] the wire format, and [`CallContext`]
//! what a running tool can ask for.
//!
//! # Features
//!
//! | feature | brings | default |
//! |---|---|---|
//! | `macros` | [`tool`] and [`tool_type`] | on |
//! | `inventory` | [`RuntimeBuilder::collect`]: what the linker collected | on |
//! | `linkme` | the same without code before `main`; with both, this one is used | |
//! | `process` | `CallContext::spawn_command`: programs that die with the call | |
//! | `validate` | all of JSON Schema, formats included, for tools whose schema is given by hand | |
//! | `terminal` | `approver::terminal`: a person at the terminal answers what has to be asked | |
//! | `store` | `RuntimeBuilder::data_dir`: tasks, results and notices survive a crash | |
//! | `toml` | `FileGrants`: answers for always in a file that a person can edit | |
//! | `cli` | `cli::main`: a command line over a runtime | |
#![forbid(unsafe_code)]

mod arguments;
mod background;
#[cfg(feature = "store")]
mod backlog;
mod build_error;
mod builtin;
mod call;
mod calls;
mod catalogue;
#[cfg(feature = "cli")]
pub mod cli;
mod context;
mod deadline;
mod definition;
mod error;
mod event;
mod executor;
mod failures;
mod fn_tool;
mod gate;
mod guard;
mod hints;
mod identity;
mod linked;
mod marks;
mod name;
mod narrowing;
mod nearest;
mod output;
mod owner;
mod parameter_faults;
mod permission;
mod pointer;
#[cfg(feature = "process")]
pub mod process;
pub mod provider;
mod reading;
mod ready_call;
mod register;
mod registry;
mod renamed;
mod report;
mod result_form;
mod runtime;
mod runtime_builder;
mod scheduler;
mod schema;
#[cfg(all(test, feature = "store"))]
mod scratch;
mod search;
mod session;
mod signal;
mod state;
pub mod testing;
mod tokens;
mod tool;
mod tool_checks;
mod tool_mode;
mod visibility;
mod work;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use arguments::{Argument, ArgumentError, Arguments, MAX_ARGUMENT_BYTES, Repair, Role};
pub use background::{
    Background, DEFAULT_TASK_RETENTION, Notice, Notices, Progress, Task, TaskId, TaskStatus,
};
pub use build_error::{BuildError, Fault};
pub use call::{ToolCall, ToolResult};
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tool.md")]
pub use chatluna_tool_macros::tool;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tool_type.md")]
pub use chatluna_tool_macros::tool_type;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/tools.md")]
pub use chatluna_tool_macros::tools;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/toolset.md")]
pub use chatluna_tool_macros::toolset;
pub use context::CallContext;
pub use definition::ToolDefinition;
pub use error::{ErrorKind, ToolError};
pub use event::{Answerer, CallEvent, Event, EventKind, Events};
pub use executor::{DEFAULT_BACKGROUND_LIMIT, Executed, Executor, LocalExecutor};
pub use fn_tool::FnTool;
pub use hints::{MAX_KEYWORD_BYTES, MAX_KEYWORDS};
pub use identity::{SessionInfo, Subject, TurnInfo};
pub use name::{MAX_NAME_BYTES, ToolName, is_valid_name};
pub use output::{Content, IntoToolOutput, Json, JsonValue, Link, Media, OutputCap, ToolOutput};
pub use owner::Owner;
#[cfg(feature = "toml")]
pub use permission::FileGrants;
pub use permission::{
    AllowAll, Answer, ApprovalRequest, Approver, Decision, DenyAll, Explanation, GrantError,
    GrantStore, MemoryGrants, PendingApproval, Permission, PermissionMode, PermissionPolicy,
    PermissionRequest, PolicyLint, Risk, Rule, Verdict, Who, approver,
};
pub use provider::{Deltas, WireError, anthropic, gemini, openai};
pub use ready_call::ReadyCall;
pub use register::{FilterGuard, ToolGuard};
pub use registry::{Origin, Registry};
pub use renamed::Renamed;
pub use report::{Lint, Report, Reported};
/// The version of schemars whose types are in this crate's interface.
pub use schemars;

pub use runtime::Runtime;
pub use runtime_builder::{
    DEFAULT_APPROVAL_TIMEOUT, DEFAULT_MAX_CONCURRENCY, DEFAULT_TIMEOUT, RuntimeBuilder,
};
pub use search::{RETRIEVER_TIMEOUT, Retriever};
pub use session::Session;
pub use state::State;
pub use tool::{Effect, PreparedCall, Tool, Traits};
pub use tool_mode::ToolMode;
pub use visibility::{FilterLint, ToolFilter};

/// A boxed future that threads can pass on.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
