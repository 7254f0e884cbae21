//! What generated code names, and nothing else. Not covered by semantic versioning.

pub use crate::BoxFuture;
pub use crate::arguments::{
    Bound, Decode, Details, Input, Length, Literal, Parameter, Range, Role, filled, filled_or,
    json, parameter, parameter_as, parameter_as_or, parameter_or, parameter_with,
    parameter_with_or,
};
pub use crate::context::CallContext;
pub use crate::hints::Hints;
pub use crate::identity::SessionInfo;
pub use crate::linked::*;
pub use crate::name::{action_bytes, action_len, action_str, check_name, module_prefix};
pub use crate::output::IntoToolOutput;
pub use crate::permission::Permission;
pub use crate::registry::{Hooks, Origin, ToolRegistration, key_of, prepared};
pub use crate::state::{Needed, injected, needed};
pub use crate::tool::{Effect, Traits};
pub use crate::tool_mode::ToolMode;
pub use std::string::String;
pub use std::vec::Vec;
pub use {schemars, serde};

use crate::error::ToolError;
use crate::output::ToolOutput;
use crate::ready_call::{no_tokio, shutting_down};
use schemars::{Schema, SchemaGenerator};
use std::future::Future;
use std::time::Duration;

/// What a call ends with.
pub type Outcome = Result<ToolOutput, ToolError>;

/// How a return type becomes an outcome. Only [`output`] asks anything of the type.
pub struct Output<R> {
    /// [`IntoToolOutput::into_tool_output`].
    pub convert: fn(R) -> Outcome,
    /// [`IntoToolOutput::output_schema`].
    pub schema: fn(&mut SchemaGenerator) -> Option<Schema>,
}

/// The row of a return type.
pub const fn output<R: IntoToolOutput>() -> Output<R> {
    Output {
        convert: R::into_tool_output,
        schema: R::output_schema,
    }
}

/// The future of an `async fn`.
pub fn asynchronous(
    future: impl Future<Output = Outcome> + Send + 'static,
) -> BoxFuture<'static, Outcome> {
    Box::pin(future)
}

/// The future of a plain `fn`: it runs on tokio's pool of blocking threads.
pub fn blocking(
    call: CallContext,
    function: impl FnOnce(&CallContext) -> Outcome + Send + 'static,
) -> BoxFuture<'static, Outcome> {
    let span = tracing::Span::current();
    let function = move || span.in_scope(|| call.clone().thread_scope(|| function(&call)));
    Box::pin(async move {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(no_tokio());
        }
        let task = tokio::task::spawn_blocking(function);
        // A function that has not begun does not run after its call has ended.
        let _abort = AbortOnDrop(task.abort_handle());
        match task.await {
            Ok(outcome) => outcome,
            Err(lost) => match lost.try_into_panic() {
                Ok(payload) => std::panic::resume_unwind(payload),
                Err(_) => Err(shutting_down()),
            },
        }
    })
}

struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A timeout in milliseconds.
pub const fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}
