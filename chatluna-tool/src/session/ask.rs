//! What is not allowed without an answer: questions to the approver.

use super::Session;
use crate::context::CallContext;
use crate::error::{ErrorKind, ToolError};
use crate::event::EventKind;
use crate::guard::{Guarded, guard};
use crate::permission::{Answer, ApprovalRequest, Approver, Decision, Judged, Permission, Verdict};
use crate::ready_call::ReadyCall;
use crate::scheduler::{Stage, unless_cancelled};
use crate::tool::Effect;
use futures_util::future::join_all;
use std::borrow::Cow;

impl Session {
    /// Whether this session may do something that is not a call of a tool: the policy decides, and
    /// where it says ask, the approver. What no rule covers counts as an execution.
    ///
    /// ```
    /// use chatluna_tool::{Permission, PermissionPolicy, Runtime, SessionInfo};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), chatluna_tool::BuildError> {
    /// let policy = PermissionPolicy::new().allow("plugin:list");
    /// let session = Runtime::builder().policy(policy).build()?.session(SessionInfo::new("s"));
    /// assert!(session.authorize(Permission::new("plugin:list")).await.is_ok());
    /// assert!(session.authorize(Permission::new("plugin:load").target("x")).await.is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `denied_by_policy`, `denied_by_user` or `no_approver`, and `panicked` when the approver did.
    pub async fn authorize(&self, permission: Permission) -> Result<(), ToolError> {
        let decision = self.0.runtime.policy().decide(&Judged {
            tool: None,
            permission: Some(&permission),
            effect: Effect::Exec,
        });
        match decision.verdict {
            Verdict::Allow => Ok(()),
            Verdict::Deny => Err(denied(&decision)),
            Verdict::Ask => {
                let reason = decision.cause.to_string().into();
                self.ask(&ApprovalRequest::of_session(self, permission, reason))
                    .await
            }
        }
    }

    /// Raises all questions of the step at once, in call order.
    pub(super) async fn ask_about(&self, step: &mut [Stage]) {
        let asking = step.iter_mut().filter(|stage| stage.is_asking());
        join_all(asking.map(|stage| self.settle(stage))).await;
    }

    async fn settle(&self, stage: &mut Stage) {
        let Stage::Ready(call) = stage else { return };
        if let Err(error) = self.answer(call).await {
            *stage = Stage::answered(call.refuse(error));
        }
    }

    pub(super) async fn answer(&self, call: &mut ReadyCall) -> Result<(), ToolError> {
        match call.take_question() {
            Some(question) => unless_cancelled(call.context(), self.ask(&question)).await?,
            None => Ok(()),
        }
    }

    /// Asks, and tells whoever listens.
    pub(crate) async fn ask(&self, request: &ApprovalRequest) -> Result<(), ToolError> {
        let call = request.call().cloned();
        if let Some(call) = &call {
            let reason = || Cow::Owned(request.reason().to_owned());
            call.emit(|| EventKind::Asked { reason: reason() });
        }
        let waiting = call.clone().or_else(CallContext::current);
        let _stopped = waiting.map(|call| call.stop_clocks());
        let answer = self.answer_of(request).await;
        if let Some(call) = call {
            let decided = answer.as_ref().copied().map_err(ToolError::kind);
            call.emit(|| EventKind::Decided(decided));
        }
        answer
    }

    async fn answer_of(&self, request: &ApprovalRequest) -> Result<(), ToolError> {
        let why = request.reason();
        let Some(approver) = &self.0.approver else {
            let text = format_args!(
                "the call needs an approval ({why}) and nobody is there to give it; do not try it again"
            );
            return Err(ToolError::of_kind(ErrorKind::NoApprover, text));
        };
        let answer = match guard(|| approver.ask(request)) {
            Ok(answer) => Guarded::new(answer).await,
            Err(panicked) => Err(panicked),
        };
        match answer {
            Ok(Answer::Once) => Ok(()),
            Ok(Answer::Reject(why)) => Err(ToolError::of_kind(
                ErrorKind::DeniedByUser,
                format_args!("the call was refused: {why}; do not try it again"),
            )),
            Err(panicked) => Err(panicked.error("the approver")),
        }
    }
}

pub(super) fn denied(decision: &Decision<'_>) -> ToolError {
    let cause = &decision.cause;
    ToolError::of_kind(
        ErrorKind::DeniedByPolicy,
        format_args!("the call was refused: {cause}; do not try it again"),
    )
}
