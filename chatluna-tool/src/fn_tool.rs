//! A tool from a closure.

use crate::BoxFuture;
use crate::arguments::{Argument, ArgumentError, Arguments};
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::output::{IntoToolOutput, ToolOutput};
use crate::tool::{PreparedCall, Tool};
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

/// A tool made at run time from a closure.
///
/// ```
/// use chatluna_tool::{CallContext, Effect, FnTool, Runtime, SessionInfo, ToolDefinition, Traits};
/// use serde_json::{Value, json};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), chatluna_tool::BuildError> {
/// let echo = FnTool::new(
///     ToolDefinition::new("echo", "Repeats what it is given")
///         .traits(Traits::new().effect(Effect::Read))
///         .arguments_schema(json!({
///             "type": "object",
///             "properties": {"text": {"type": "string"}},
///             "required": ["text"],
///         })),
///     |arguments: Value, _call: CallContext| async move { arguments["text"].clone() },
/// );
/// let session = Runtime::builder().tool(echo).build()?.session(SessionInfo::new("demo"));
/// assert_eq!(session.call("echo", json!({"text": "hi"})).await.text(), r#""hi""#);
/// # Ok(())
/// # }
/// ```
pub struct FnTool<A, F> {
    definition: ToolDefinition,
    function: F,
    arguments: PhantomData<fn(A)>,
}

impl<A, F> fmt::Debug for FnTool<A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FnTool").field(&self.definition).finish()
    }
}

impl<A, F, R> FnTool<A, F>
where
    A: Argument + Send,
    F: Fn(A, CallContext) -> R + Send + Sync + 'static,
    R: Future<Output: IntoToolOutput> + Send + 'static,
{
    /// A tool that decodes its arguments into `A` and calls `function`.
    ///
    /// The schema of the arguments is that of `A`, unless the definition has one.
    pub fn new(definition: ToolDefinition, function: F) -> Self {
        let definition = if definition.has_default_arguments() {
            definition.arguments::<A>()
        } else {
            definition
        };
        Self {
            definition,
            function,
            arguments: PhantomData,
        }
    }
}

impl<A, F, R> Tool for FnTool<A, F>
where
    A: Argument + Send,
    F: Fn(A, CallContext) -> R + Send + Sync + 'static,
    R: Future<Output: IntoToolOutput> + Send + 'static,
{
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn prepare(
        self: Arc<Self>,
        arguments: &Arguments,
    ) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        let arguments = arguments.decode()?;
        Ok(Box::new(Prepared {
            tool: self,
            arguments,
        }))
    }
}

struct Prepared<A, F> {
    tool: Arc<FnTool<A, F>>,
    arguments: A,
}

impl<A, F, R> PreparedCall for Prepared<A, F>
where
    A: Argument + Send,
    F: Fn(A, CallContext) -> R + Send + Sync + 'static,
    R: Future<Output: IntoToolOutput> + Send + 'static,
{
    fn run(
        self: Box<Self>,
        call: CallContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let future = (self.tool.function)(self.arguments, call);
        Box::pin(async move { future.await.into_tool_output() })
    }
}
