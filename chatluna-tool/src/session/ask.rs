//! What is not allowed without an answer: questions to the approver, and what answers become.

use super::Session;
use super::refusal::{
    NOT_RUN, denied, expired, fate, no_approver, panicked, rejected, too_late, unfit,
};
use crate::call::{ToolCall, ToolResult};
use crate::context::CallContext;
use crate::deadline::Timer;
use crate::error::{ErrorKind, ToolError};
use crate::event::{Answerer, EventKind};
use crate::permission::{
    Answer, Answered, ApprovalRequest, Entry, PendingApproval, Permission, PermissionRequest, Risk,
    Rule, Scope, Verdict, of_answer,
};
use crate::ready_call::{Asking, ReadyCall, no_tokio};
use crate::scheduler::{Stage, cancelled_early, unless_cancelled};
use crate::tool::Effect;
use futures_util::future::{Either, join_all, select};
use serde_json::Value;
use std::borrow::Cow;
use std::convert::identity;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// A yes, and the arguments that it is for where they are not those that were asked about.
#[derive(Debug)]
pub(crate) struct Approved {
    at: Instant,
    edited: Option<Value>,
}

/// How a question ended, and by whom.
struct Settled {
    outcome: Result<Approved, ToolError>,
    /// What the outcome is called in the audit log.
    answer: &'static str,
    by: Answerer,
}

impl Settled {
    fn refused(error: ToolError, by: Answerer) -> Self {
        Self {
            answer: error.kind().as_str(),
            outcome: Err(error),
            by,
        }
    }
}

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

    /// What becomes of an answer.
    fn settled(&self, request: &ApprovalRequest, answer: Answered, by: Answerer) -> Settled {
        let answer = match answer {
            Ok(answer) => answer,
            Err(panic) => return Settled::refused(panicked(&panic, fate(request)), by),
        };
        self.remember(request, &answer);
        let word = answer.as_str();
        let outcome = match answer {
            Answer::Once | Answer::Turn | Answer::Session | Answer::Always => {
                Ok(Approved::now(None))
            }
            Answer::Edited(arguments) if request.is_editable() => {
                Ok(Approved::now(Some(arguments)))
            }
            Answer::Edited(_) => Err(rejected(
                "it was approved with other arguments, too late to be changed",
                fate(request),
            )),
            Answer::Reject(why) => Err(rejected(&why, fate(request))),
            Answer::Never => Err(rejected("the answer is no for good", fate(request))),
        };
        Settled {
            outcome,
            answer: word,
            by,
        }
    }

    /// Keeps an answer for as long as it says.
    fn remember(&self, request: &ApprovalRequest, answer: &Answer) {
        if request.risk() == Risk::Critical {
            return;
        }
        let (verdict, scope) = match answer {
            Answer::Once | Answer::Edited(_) | Answer::Reject(_) => return,
            Answer::Turn if self.turn().is_none() => return,
            Answer::Turn => (Verdict::Allow, Some(Scope::Turn)),
            Answer::Session => (Verdict::Allow, Some(Scope::Session)),
            Answer::Always => (Verdict::Allow, None),
            Answer::Never => (Verdict::Deny, None),
        };
        let rules = of_answer(request, verdict);
        match scope {
            Some(scope) => self.memory().add(scope, &rules),
            None => self.keep(&rules),
        }
        self.memory().tell();
    }

    /// Keeps rules for good. Those that are kept already are not kept twice, as when equal questions
    /// have shared an answer.
    fn keep(&self, rules: &[Rule]) {
        let kept = self.grants().rules();
        let new = rules.iter().filter(|rule| !kept.contains(rule));
        let new: Vec<Rule> = new.cloned().collect();
        if new.is_empty() {
            return;
        }
        if let Err(error) = self.grants().add(&new) {
            tracing::error!(%error, "an answer could not be kept; it holds for the session");
            self.memory().add(Scope::Session, &new);
        }
    }

    fn tell(&self, request: &ApprovalRequest, settled: &Settled) {
        let refusal = settled.outcome.as_ref().err();
        if let Some(call) = request.call() {
            call.emit(|| EventKind::Decided {
                refusal: refusal.map(ToolError::kind),
                by: settled.by.clone(),
            });
        }
        let (answer, by) = (settled.answer, &settled.by);
        tracing::info!(
            tool = request.tool(),
            action = request.permission().action(),
            answer,
            %by,
            "a question was answered"
        );
        if let Some(audit) = self.audit() {
            let why = refusal.map(ToString::to_string);
            let reason = why.as_deref().unwrap_or(request.reason());
            audit.write(&Entry::answered(request, answer, reason, by));
        }
    }
}

impl Approved {
    fn now(edited: Option<Value>) -> Self {
        let at = Instant::now();
        Self { at, edited }
    }

    /// A yes to what was asked, and to nothing else.
    pub(crate) fn into_asked(self) -> Result<(), ToolError> {
        match self.edited {
            None => Ok(()),
            Some(_) => Err(rejected("nothing of it can be edited", NOT_RUN)),
        }
    }
}

/// Waits for so long for an answer.
async fn sleep(limit: Duration, fate: &str) -> ToolError {
    let mut timer = None;
    poll_fn(|cx| {
        if timer.is_none() {
            timer = Timer::start(limit, None);
        }
        match &mut timer {
            Some(timer) => timer.poll(cx, None).map(|()| expired(limit, fate)),
            None => Poll::Ready(no_tokio()),
        }
    })
    .await
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
