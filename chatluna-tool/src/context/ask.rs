//! What a call asks a person, and what it refuses by itself.

use super::CallContext;
use crate::error::{ErrorKind, ToolError};
use crate::permission::ApprovalRequest;
use crate::ready_call::no_tokio;
use crate::scheduler::unless_cancelled;
use crate::session::Approved;
use std::borrow::Cow;
use std::fmt;

impl CallContext {
    /// Asks a person whether the call may go on; waits for the answer.
    ///
    /// The time until the answer does not count against the tool's timeout.
    ///
    /// # Errors
    /// `denied_by_user` after a refusal, `no_approver` when there is nobody to ask, `panicked` when
    /// the approver did. The call then ends with that kind, whatever error the tool makes of it.
    pub async fn ask(&self, reason: impl Into<Cow<'static, str>>) -> Result<(), ToolError> {
        let request = ApprovalRequest::of_tool(self, reason.into());
        let answer = self.0.session.ask(request).await;
        let answer = answer.and_then(Approved::into_asked);
        // What is allowed now was not refused for good.
        self.rare().marks().refusal = answer.as_ref().err().map(ToolError::kind);
        answer
    }

    /// [`ask`](Self::ask) for a tool that is a plain `fn`: blocks its thread until the answer.
    ///
    /// # Errors
    /// Those of [`ask`](Self::ask); `cancelled` when the call is cancelled while it waits;
    /// `unavailable` in an `async fn`, whose thread must not be blocked.
    pub fn ask_blocking(&self, reason: impl Into<Cow<'static, str>>) -> Result<(), ToolError> {
        if !self.is_on_thread() {
            return Err(ToolError::of_kind(
                ErrorKind::Unavailable,
                "`ask_blocking` is for a plain `fn`; an `async fn` awaits `call.ask(..)`",
            ));
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return Err(no_tokio());
        };
        let asking = unless_cancelled(self, self.ask(reason));
        let cancelled = || {
            ToolError::of_kind(
                ErrorKind::Cancelled,
                "the call was cancelled while it waited for an answer; what it did until then may stay",
            )
        };
        runtime
            .block_on(asking)
            .unwrap_or_else(|_| Err(cancelled()))
    }

    /// Refuses the call: `return Err(call.deny("not on a Friday"))`. The model reads the reason, and
    /// that it is not to try again.
    pub fn deny(&self, reason: impl fmt::Display) -> ToolError {
        self.rare().marks().refusal = Some(ErrorKind::DeniedByPolicy);
        ToolError::of_kind(
            ErrorKind::DeniedByPolicy,
            format_args!("the call was refused: {reason}; do not try it again"),
        )
    }
}
