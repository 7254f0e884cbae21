//! Work of the host program, in the form of a call.

use crate::BoxFuture;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::output::{IntoToolOutput, ToolOutput};
use crate::ready_call::{Notes, ReadyCall};
use crate::session::Session;
use crate::tool::PreparedCall;

struct Work<F>(F);

impl<F, R> PreparedCall for Work<F>
where
    F: FnOnce(CallContext) -> R + Send,
    R: Future<Output: IntoToolOutput> + Send + 'static,
{
    fn run(
        self: Box<Self>,
        call: CallContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let future = (self.0)(call);
        Box::pin(async move { future.await.into_tool_output() })
    }
}

/// A call that was made by nobody.
pub(super) fn ready<F, R>(session: &Session, name: String, work: F) -> ReadyCall
where
    F: FnOnce(CallContext) -> R + Send + 'static,
    R: Future<Output: IntoToolOutput> + Send + 'static,
{
    let definition = ToolDefinition::new(name.clone(), "");
    let context = CallContext::new(
        String::new(),
        session.next_number(),
        definition,
        "{}".into(),
        session.clone(),
        session.turn(),
    );
    ReadyCall::new(name, context, Box::new(Work(work)), None, Notes::default())
}
