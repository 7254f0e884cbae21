//! A call that may run: from where it is allowed to its result, wherever it is driven.

mod ending;
mod rare;
mod span;

pub(crate) use rare::{Asking, Notes};

use crate::arguments::Repair;
use crate::background::TaskId;
use crate::call::ToolResult;
use crate::calls::Registered;
use crate::context::CallContext;
use crate::deadline::{Expired, within};
use crate::error::{ErrorKind, ToolError};
use crate::event::EventKind;
use crate::guard::Panicked;
use crate::output::ToolOutput;
use crate::permission::ApprovalRequest;
use crate::session::Session;
use crate::tool::PreparedCall;
use crate::work::{Outcome, Work};
use rare::Rare;
use span::span_of;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tracing::Span;

/// How long a call that is told to end may take to do so.
const GRACE: Duration = Duration::from_secs(2);

/// A call that has begun and not ended, with its future. An [`Executor`](crate::Executor) drives it.
///
/// Dropping it cancels the call, and drops the tool's future at once.
pub struct ReadyCall {
    name: String,
    call: Registered,
    work: Work,
    rare: Option<Box<Rare>>,
    span: Option<Box<Span>>,
    started: Option<Instant>,
}

impl ReadyCall {
    #[inline]
    pub(crate) fn new(
        name: String,
        call: CallContext,
        prepared: Box<dyn PreparedCall>,
        question: Option<Box<ApprovalRequest>>,
        notes: Notes,
    ) -> Self {
        let call = Registered::new(call);
        for repair in &notes.repairs {
            call.emit(|| EventKind::Repaired(repair.clone()));
        }
        let rare = match question {
            None if notes.is_empty() => None,
            question => Some(Box::new(Rare {
                asking: question.map(|question| Asking::Open(*question)),
                approved_until: None,
                notes,
            })),
        };
        Self {
            name,
            call,
            work: Work::Prepared(prepared),
            rare,
            span: None,
            started: None,
        }
    }

    /// The call.
    pub fn context(&self) -> &CallContext {
        &self.call
    }

    /// Puts another reading of the call in its place.
    pub(crate) fn replace(&mut self, call: CallContext, prepared: Box<dyn PreparedCall>) {
        let is_cancelled = self.call.is_cancelled();
        self.work.abandon();
        self.work = Work::Prepared(prepared);
        self.call = Registered::new(call);
        if is_cancelled {
            self.cancel();
        }
        let notes = &mut self.rare.get_or_insert_default().notes;
        notes.repairs.push(Repair::of_approver());
    }

    pub(crate) fn is_parallel(&self) -> bool {
        self.call.definition().is_parallel()
    }

    /// What it must not run beside.
    #[inline]
    pub(crate) fn key(&self) -> Result<Option<String>, ToolError> {
        let key = self.work.key();
        key.map_err(|panicked| panicked.error("the key"))
    }

    fn repairs(&self) -> Vec<Repair> {
        let rare = self.rare.as_ref();
        rare.map(|rare| rare.notes.repairs.clone())
            .unwrap_or_default()
    }

    /// The call itself; nothing is left in its place.
    pub(crate) fn take(&mut self) -> Self {
        let nothing = Self {
            name: String::new(),
            call: self.call.none(),
            work: Work::Over,
            rare: None,
            span: None,
            started: None,
        };
        std::mem::replace(self, nothing)
    }

    /// Begins the call, and polls the tool's future once.
    #[inline]
    pub(crate) fn begin(&mut self, cx: &mut Context<'_>) -> Poll<Result<Outcome, Panicked>> {
        self.started = Some(Instant::now());
        self.span = span_of(&self.call);
        self.call.emit(|| EventKind::Started);
        Pin::new(&mut self.running()).poll(cx)
    }

    /// Drives the call for so long: its result, or `None` when it has to be driven on.
    ///
    /// Time that the call waits for a person does not count. A call that is cancelled gets a result
    /// here, after a moment to end in good order; so does one past its time that may not go on in
    /// the background.
    ///
    /// Dropping the future leaves the call as it is.
    pub async fn drive(&mut self, wait_up_to: Duration) -> Option<ToolResult> {
        let mut running = self.running();
        let (clock, signal) = (running.call.clock(), running.call.signal());
        let driven = within(wait_up_to, GRACE, clock, signal, &mut running).await;
        match driven {
            Err(Expired::Timeout) if self.call.outlives_timeout() => None,
            driven => Some(self.ended(driven)),
        }
    }

    /// The id under which the call goes on in the background: no other task of the runtime has it,
    /// nor had, also before a restart. It is made when this is first asked.
    pub fn task_id(&self) -> TaskId {
        self.call.task_id()
    }

    /// What the model reads when the call has become a task.
    pub(crate) fn answer_of_task(&self) -> impl FnOnce(Duration, TaskId) -> ToolResult + use<> {
        let (id, name) = (self.call.id().to_owned(), self.name.clone());
        let (repairs, started) = (self.repairs(), self.started);
        let session = self.call.session_handle().clone();
        move |limit, task| {
            let tools = task_tools(&session);
            let text = format!(
                "the call is still running after {limit:?} and goes on in the background as {task}; \
                 you are told when it ends, so do not poll and do not call it again for the same{tools}"
            );
            let mut result = ToolResult::new(id, name, Ok(ToolOutput::text(text)));
            result.set_repairs(repairs);
            result.set_elapsed(since(started));
            result.of_task(task)
        }
    }

    fn running(&mut self) -> Running<'_> {
        Running {
            call: &self.call,
            span: self.span.as_deref(),
            work: &mut self.work,
        }
    }

    /// Tells the call to end, as [`Session::cancel`](crate::Session::cancel) does; drive it on for
    /// its result.
    pub fn cancel(&self) {
        self.call.signal().fire();
    }
}

impl Drop for ReadyCall {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for ReadyCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReadyCall").field(self.context()).finish()
    }
}

/// The tool's future, polled within its span.
struct Running<'call> {
    call: &'call CallContext,
    span: Option<&'call Span>,
    work: &'call mut Work,
}

impl Future for Running<'_> {
    type Output = Result<Outcome, Panicked>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let _entered = self.span.map(Span::enter);
        let call = self.call;
        self.work.poll(call, cx)
    }
}

/// What a model can do about a task with the tools that it sees.
fn task_tools(session: &Session) -> String {
    let tools = [
        ("task_output", "reads what it has so far"),
        ("task_cancel", "ends it"),
    ];
    let seen = tools
        .iter()
        .filter(|(name, _)| session.definition(name).is_ok());
    let seen: Vec<String> = seen.map(|(name, what)| format!("{name} {what}")).collect();
    match &*seen {
        [] => String::new(),
        seen => format!("; {}", seen.join(", ")),
    }
}

/// Nothing for a call that has not begun.
fn since(started: Option<Instant>) -> Duration {
    started.map_or(Duration::ZERO, |started| started.elapsed())
}

pub(crate) fn no_tokio() -> ToolError {
    ToolError::of_kind(
        ErrorKind::Unavailable,
        "the host program runs no tokio runtime with a timer (`enable_all`), which this call needs",
    )
}

pub(crate) fn shutting_down() -> ToolError {
    ToolError::of_kind(ErrorKind::Unavailable, "the host program is shutting down")
}
