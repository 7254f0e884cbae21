//! What is not allowed without an answer: questions to the approver, and what answers become.

use super::Session;
use super::answer::{Approved, Settled};
use super::refusal::{NOT_RUN, denied, expired, fate, no_approver, rejected, too_late, unfit};
use crate::call::{ToolCall, ToolResult};
use crate::context::CallContext;
use crate::deadline::{NoTimer, elapsed};
use crate::error::{ErrorKind, ToolError};
use crate::event::{Answerer, EventKind};
use crate::permission::{
    Answer, ApprovalRequest, PendingApproval, Permission, PermissionRequest, Verdict,
};
use crate::ready_call::{Asking, ReadyCall, no_tokio};
use crate::scheduler::{Stage, cancelled_early, unless_cancelled};
use crate::tool::Effect;
use futures_util::future::{Either, join_all, select};
use std::borrow::Cow;
use std::convert::identity;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::oneshot;

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
    /// `denied_by_policy`, `denied_by_user`, `no_approver` or `expired`, and `panicked` when the
    /// approver did.
    pub async fn authorize(&self, permission: Permission) -> Result<(), ToolError> {
        let remembered = self.remembered();
        let rules = remembered.rules(self.policy());
        let wish = PermissionRequest::new(&permission, Effect::Exec, self.info());
        let ruling = rules.decide(&wish);
        self.note(&wish, None, &ruling);
        match ruling.verdict {
            Verdict::Allow => Ok(()),
            Verdict::Deny => Err(denied(&ruling, NOT_RUN)),
            Verdict::Ask => {
                let reason = ruling.cause.words();
                let request = ApprovalRequest::of_session(self, permission, reason);
                self.ask(request).await?.into_asked()
            }
        }
    }

    /// The questions that wait for an answer, in the order in which they were asked. They are data,
    /// and can be kept to be answered after a restart: see [`resume`](Self::resume).
    pub fn pending(&self) -> Vec<PendingApproval> {
        self.pending_list().list()
    }

    /// Runs a call whose question another process left unanswered, with the answer to it.
    ///
    /// All is done anew: the tool is looked up, the arguments are read, the policy judges. The answer
    /// counts only where the question is still the same, for the same session, user and agent; where
    /// it is another one by now, the approver is asked.
    pub async fn resume(&self, pending: PendingApproval, answer: Answer) -> ToolResult {
        let id = pending.call_id.clone().unwrap_or_default();
        let name = pending.tool.clone().unwrap_or_default();
        if let Err(error) = resumable(&pending, self) {
            return ToolResult::new(id, name, Err(error));
        }
        let arguments = pending.arguments.clone().unwrap_or_default();
        let call = ToolCall::new(&*name, arguments).id(id);
        let stage = self.stage(&self.view().by_hand(), call);
        let mut call = match stage {
            Stage::Ready(call) => call,
            Stage::Answered(result) => return *result,
        };
        if let Some(request) = call.question().filter(|request| pending.is_like(request)) {
            let request = request.clone();
            let settled = self.settled(&request, Ok(answer), Answerer::Resumed);
            self.tell(&request, &settled);
            call.set_asking(Asking::Settled(settled.outcome));
        }
        self.finish(&mut call, identity).await
    }

    /// Raises all questions of the step, in call order. The future drives them; the calls hear of
    /// their answers.
    pub(super) fn raise(&self, step: &mut [Stage]) -> impl Future<Output = ()> + use<'_> {
        let ready = step.iter_mut().filter_map(Stage::ready);
        let raised = ready.filter_map(|call| {
            let question = call.question()?.clone();
            let (sender, answer) = oneshot::channel();
            call.set_asking(Asking::Raised(answer));
            let context = call.context().clone();
            Some(async move {
                let answer = unless_cancelled(&context, self.ask(question)).await;
                // An error says that nobody waits for it any more.
                let _ = sender.send(answer.and_then(|answer| answer));
            })
        });
        let raised = join_all(raised.collect::<Vec<_>>());
        async move {
            raised.await;
        }
    }

    /// Waits for the answer to a call's question, if it has one.
    pub(crate) async fn settle(&self, call: &mut ReadyCall) -> Result<(), ToolError> {
        let answer = match call.take_asking() {
            None => return Ok(()),
            Some(Asking::Open(question)) => {
                let asked = unless_cancelled(call.context(), self.ask(question)).await;
                asked.and_then(|answer| answer)
            }
            Some(Asking::Raised(answer)) => answer.await.unwrap_or_else(|_| Err(cancelled_early())),
            Some(Asking::Settled(answer)) => answer,
        };
        let Approved { at, edited } = answer?;
        if let Some(arguments) = edited {
            let edit = self.edit(call, arguments);
            edit.map_err(|error| unfit(&error))?;
        }
        call.approve(at.checked_add(self.approval_timeout()));
        Ok(())
    }

    /// Asks, and tells whoever listens.
    pub(crate) async fn ask(&self, request: ApprovalRequest) -> Result<Approved, ToolError> {
        let call = request.call().cloned();
        if let Some(call) = &call {
            let reason = || Cow::Owned(request.reason().to_owned());
            call.emit(|| EventKind::Asked { reason: reason() });
        }
        let waiting = call.or_else(CallContext::current);
        let _stopped = waiting.map(|call| call.stop_clocks());
        let settled = self.answer_of(&request).await;
        self.tell(&request, &settled);
        settled.outcome
    }

    /// What the approver answers, or what is remembered by then.
    async fn answer_of(&self, request: &ApprovalRequest) -> Settled {
        let limit = self.approval_timeout();
        let mut late = pin!(sleep(limit, fate(request)));
        let mut open = None;
        loop {
            let changed = pin!(self.memory().changed());
            if let Some(settled) = self.known(request) {
                return settled;
            }
            let Some(approver) = self.approver() else {
                return Settled::refused(
                    no_approver(request.reason(), fate(request)),
                    Answerer::Nobody,
                );
            };
            let ask = || self.pending_list().open(request.clone(), approver, limit);
            let open = open.get_or_insert_with(ask);
            let waiting = select(changed, late.as_mut());
            match select(open.answer(), waiting).await {
                Either::Left((answer, _)) => {
                    let by = Answerer::Approver(approver.name().to_owned());
                    return self.settled(request, answer, by);
                }
                Either::Right((Either::Left(_), _)) => {}
                Either::Right((Either::Right((error, _)), _)) => {
                    return Settled::refused(error, Answerer::Nobody);
                }
            }
        }
    }

    /// What a rule says to a question, an answer that is remembered included.
    fn known(&self, request: &ApprovalRequest) -> Option<Settled> {
        let remembered = self.remembered();
        let ruling = remembered.rules(self.policy()).decide(&request.judged());
        let by = ruling
            .cause
            .rule()
            .map(|rule| Answerer::Rule(Box::new(rule.clone())));
        match ruling.verdict {
            Verdict::Ask => None,
            Verdict::Allow => Some(Settled {
                outcome: Ok(Approved::now(None)),
                answer: "allow",
                by: by.unwrap_or(Answerer::Nobody),
            }),
            Verdict::Deny => Some(Settled::refused(
                denied(&ruling, fate(request)),
                by.unwrap_or(Answerer::Nobody),
            )),
        }
    }
}

/// Waits for so long for an answer.
async fn sleep(limit: Duration, fate: &str) -> ToolError {
    match elapsed(limit).await {
        Ok(()) => expired(limit, fate),
        Err(NoTimer) => no_tokio(),
    }
}

/// Whether a question of another process can be answered here.
fn resumable(pending: &PendingApproval, session: &Session) -> Result<(), ToolError> {
    if pending.has_begun || pending.tool.is_none() {
        return Err(ToolError::of_kind(
            ErrorKind::Unavailable,
            "the call had begun when its process ended and cannot be taken up again; \
             its effect may or may not have happened",
        ));
    }
    if pending.is_expired() {
        return Err(too_late());
    }
    if !pending.is_of(session.info()) {
        return Err(rejected(
            "it was asked for by another session, user or agent",
            NOT_RUN,
        ));
    }
    Ok(())
}
