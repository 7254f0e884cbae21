//! A call that may run: from where it is allowed to its result, wherever it is driven.

use crate::arguments::Repair;
use crate::background::TaskId;
use crate::call::ToolResult;
use crate::calls::Registered;
use crate::context::CallContext;
use crate::deadline::{Expired, within};
use crate::error::{ErrorKind, ToolError};
use crate::event::EventKind;
use crate::failures::Fingerprint;
use crate::guard::Panicked;
use crate::output::ToolOutput;
use crate::permission::ApprovalRequest;
use crate::session::Approved;
use crate::tool::{Effect, PreparedCall};
use crate::work::{Outcome, Work};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tracing::field::Empty;
use tracing::{Span, info_span};

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

/// What most calls do without: they are moved about.
#[derive(Default)]
struct Rare {
    /// What has to be answered before it begins.
    asking: Option<Asking>,
    /// When the answer is no longer good.
    approved_until: Option<tokio::time::Instant>,
    notes: Notes,
}

/// What is noted of a call while it is read.
#[derive(Default)]
pub(crate) struct Notes {
    /// How it was read otherwise than it was written.
    pub(crate) repairs: Vec<Repair>,
    /// What tells it from others of its turn.
    pub(crate) fingerprint: Option<Fingerprint>,
}

impl Notes {
    fn is_empty(&self) -> bool {
        self.repairs.is_empty() && self.fingerprint.is_none()
    }
}

/// How far a question has come.
pub(crate) enum Asking {
    /// Nobody has been asked.
    Open(ApprovalRequest),
    /// The step drives the question.
    Raised(oneshot::Receiver<Result<Approved, ToolError>>),
    /// It was answered beforehand.
    Settled(Result<Approved, ToolError>),
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

    pub(crate) fn is_asking(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.asking.is_some())
    }

    /// The question that nobody has been asked.
    pub(crate) fn question(&self) -> Option<&ApprovalRequest> {
        match self.rare.as_ref()?.asking.as_ref()? {
            Asking::Open(question) => Some(question),
            Asking::Raised(_) | Asking::Settled(_) => None,
        }
    }

    pub(crate) fn set_asking(&mut self, asking: Asking) {
        self.rare.get_or_insert_default().asking = Some(asking);
    }

    pub(crate) fn take_asking(&mut self) -> Option<Asking> {
        self.rare.as_mut()?.asking.take()
    }

    /// Lets the call begin until then.
    pub(crate) fn approve(&mut self, until: Option<tokio::time::Instant>) {
        self.rare.get_or_insert_default().approved_until = until;
    }

    /// Whether it was approved too long ago.
    pub(crate) fn is_stale(&self) -> bool {
        let until = self.rare.as_ref().and_then(|rare| rare.approved_until);
        until.is_some_and(|until| tokio::time::Instant::now() >= until)
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

    /// Ends a call that will not run.
    pub(crate) fn refuse(&mut self, error: ToolError) -> ToolResult {
        self.result(Err(error))
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

    /// Ends the call with what its future gave.
    #[inline]
    pub(crate) fn close(&mut self, outcome: Result<Outcome, Panicked>) -> ToolResult {
        match outcome {
            Ok(Ok(output)) => self.result(Ok(output)),
            failed => self.ended(Ok(failed)),
        }
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
        move |limit, task| {
            let text = format!(
                "the call is still running after {limit:?} and goes on in the background as {task}; \
                 you are told when it ends, so do not poll and do not call it again for the same; \
                 task_output reads what it has so far, task_cancel ends it"
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

    /// Ends a call that has run for longer than it ever may.
    pub fn expire(mut self, limit: Duration) -> ToolResult {
        let error = self.late(limit);
        self.result(Err(error))
    }

    fn ended(&mut self, driven: Result<Result<Outcome, Panicked>, Expired>) -> ToolResult {
        let outcome = match driven {
            Ok(Ok(Ok(output))) => Ok(output),
            Ok(Ok(Err(error))) => Err(self.failure(error)),
            Ok(Err(panicked)) => Err(panicked.error("the tool")),
            Err(Expired::Timeout) => Err(self.late(self.call.timeout())),
            Err(Expired::Cancelled) => Err(self.cancelled()),
            Err(Expired::NoTimer) => Err(no_tokio()),
        };
        self.result(outcome)
    }

    /// What the tool says went wrong, under the kind that it is.
    fn failure(&self, error: ToolError) -> ToolError {
        match self.call.refusal() {
            Some(kind) => ToolError::of_kind(kind, error),
            None if self.call.is_cancelled() => ToolError::of_kind(ErrorKind::Cancelled, error),
            None => error,
        }
    }

    fn late(&self, limit: Duration) -> ToolError {
        let (end, after) = (self.end(), self.effect());
        ToolError::of_kind(
            ErrorKind::Timeout,
            format_args!("the call took longer than {limit:?} and was {end}; {after}"),
        )
    }

    fn cancelled(&self) -> ToolError {
        let (end, after) = (self.end(), self.effect());
        ToolError::of_kind(
            ErrorKind::Cancelled,
            format_args!("the call was cancelled and {end}; {after}"),
        )
    }

    fn end(&self) -> &'static str {
        if self.call.is_on_thread() {
            "given up, its thread runs to its end"
        } else {
            "stopped"
        }
    }

    fn effect(&self) -> &'static str {
        match self.call.definition().effect() {
            Effect::Read => "it only reads, so nothing was changed",
            Effect::Write | Effect::Exec => "its effect may or may not have happened",
        }
    }

    /// The call is over: nothing is left to run, and nobody has to wait for it.
    fn result(&mut self, mut outcome: Outcome) -> ToolResult {
        self.stop();
        let session = self.call.session_handle();
        session.fit(self.call.definition(), &mut outcome);
        let elapsed = since(self.started);
        let error = outcome.as_ref().err().map(ToolError::kind);
        if let (Some(span), Some(kind)) = (&self.span, error) {
            span.record("error.type", kind.as_str());
        }
        self.call.emit(|| EventKind::Finished { error, elapsed });
        let (id, shown) = self.call.take_rest();
        let name = std::mem::take(&mut self.name);
        if shown.is_none() && self.rare.is_none() {
            return ToolResult::timed(id, name, outcome, elapsed);
        }
        let mut result = ToolResult::timed(id, name, outcome, elapsed);
        if let Some(shown) = shown {
            result.set_shown(*shown);
        }
        if let Some(rare) = self.rare.take() {
            result.set_repairs(rare.notes.repairs);
            if let Some(fingerprint) = rare.notes.fingerprint {
                let failures = self.call.session_handle().failures();
                failures.note(fingerprint, error);
            }
        }
        result
    }

    /// Drops what is left of the tool's code; what it spawned hears of that.
    fn stop(&mut self) {
        if !self.work.is_over() {
            self.call.signal().fire();
            self.work.abandon();
        }
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

/// Nothing for a call that has not begun.
fn since(started: Option<Instant>) -> Duration {
    started.map_or(Duration::ZERO, |started| started.elapsed())
}

/// A span as OpenTelemetry's conventions for generative AI name it; `None` where nobody listens.
///
/// <https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/#execute-tool-span>
fn span_of(call: &CallContext) -> Option<Box<Span>> {
    let span = info_span!(
        "execute_tool",
        otel.name = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = call.name(),
        gen_ai.tool.r#type = "function",
        gen_ai.tool.call.id = call.id(),
        gen_ai.tool.call.arguments = Empty,
        error.r#type = Empty,
    );
    if span.is_disabled() {
        return None;
    }
    span.record("otel.name", format_args!("execute_tool {}", call.name()));
    if call.session_handle().traces_arguments() {
        let arguments = call.shown_arguments();
        span.record("gen_ai.tool.call.arguments", &*arguments);
    }
    Some(Box::new(span))
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
