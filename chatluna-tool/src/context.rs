//! What a running call can ask of the runtime.

use crate::arguments::{Arguments, masked};
use crate::background::{Progress, TaskId};
use crate::deadline::Clock;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::event::{CallEvent, EventKind};
use crate::gate::Gate;
use crate::identity::{SessionInfo, TurnInfo};
use crate::marks::{Marks, Shown, Told};
use crate::permission::ApprovalRequest;
use crate::ready_call::no_tokio;
use crate::scheduler::unless_cancelled;
use crate::session::{Approved, Session};
use crate::signal::Signal;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The call at hand. Cheap to clone.
///
/// A tool gets it by taking `&CallContext`:
///
/// ```
/// use chatluna_tool::{CallContext, tool};
///
/// /// Says which session is running
/// #[tool(traits(effect = "read"))]
/// async fn whoami(call: &CallContext) -> String {
///     call.session().id.clone()
/// }
/// ```
#[derive(Clone)]
pub struct CallContext(Arc<Inner>);

struct Inner {
    id: String,
    /// What tells the calls of a session apart.
    number: u64,
    /// Where the session's list of calls has it, while it does.
    index: AtomicUsize,
    definition: ToolDefinition,
    arguments: Arguments,
    session: Session,
    turn: Option<Arc<TurnInfo>>,
    /// The call whose tool makes this one.
    outer: Option<CallContext>,
    // Boxed, and made on need: most calls do without.
    rare: OnceLock<Box<Rare>>,
    /// Whether a thread runs the tool's function, which nothing can stop.
    on_thread: AtomicBool,
    /// Whether it goes on without its step.
    detached: AtomicBool,
}

#[derive(Default)]
struct Rare {
    clock: Clock,
    signal: Signal,
    marks: Mutex<Marks>,
    /// What it goes on as without its step.
    task: OnceLock<TaskId>,
}

impl Rare {
    fn marks(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    /// The call whose code is running on this thread.
    static CURRENT: Cell<Option<CallContext>> = const { Cell::new(None) };
}

/// The call whose code was running before, until this is dropped.
struct Before(Option<CallContext>);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

impl CallContext {
    #[inline]
    pub(crate) fn new(
        id: String,
        number: u64,
        definition: ToolDefinition,
        arguments: Arguments,
        session: Session,
        turn: Option<Arc<TurnInfo>>,
    ) -> Self {
        let outer = Self::current();
        Self::made(id, number, definition, arguments, session, turn, outer)
    }

    /// The same call with other arguments, not begun.
    pub(crate) fn with_arguments(&self, arguments: Arguments) -> Self {
        let own = &self.0;
        Self::made(
            own.id.clone(),
            own.number,
            own.definition.clone(),
            arguments,
            own.session.clone(),
            own.turn.clone(),
            own.outer.clone(),
        )
    }

    #[inline]
    fn made(
        id: String,
        number: u64,
        definition: ToolDefinition,
        arguments: Arguments,
        session: Session,
        turn: Option<Arc<TurnInfo>>,
        outer: Option<Self>,
    ) -> Self {
        Self(Arc::new(Inner {
            id,
            number,
            index: AtomicUsize::new(0),
            definition,
            arguments,
            session,
            turn,
            outer,
            rare: OnceLock::new(),
            on_thread: AtomicBool::new(false),
            detached: AtomicBool::new(false),
        }))
    }

    pub(crate) fn number(&self) -> u64 {
        self.0.number
    }

    /// The provider's id of the call.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The name of the tool.
    pub fn name(&self) -> &str {
        self.0.definition.name()
    }

    /// Who is calling.
    pub fn session(&self) -> &SessionInfo {
        self.0.session.info()
    }

    /// The turn that was open when the call came in.
    pub fn turn(&self) -> Option<&TurnInfo> {
        self.0.turn.as_deref()
    }

    /// A value of the session, else of the runtime; also the inside of an `Arc<T>`.
    pub fn state<T: 'static>(&self) -> Option<&T> {
        self.0.session.state()
    }

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

    /// Waits until the call is cancelled: by [`Session::cancel`], by [`Session::abort`], by its
    /// timeout, or because nobody waits for it any more.
    ///
    /// A tool that is cancelled has a moment to end in good order, then its future is dropped.
    /// What it spawned goes on unless that waits here too; a plain `fn` looks at
    /// [`is_cancelled`](Self::is_cancelled).
    ///
    /// ```
    /// use chatluna_tool::{CallContext, tool};
    ///
    /// /// Counts until it is told to stop
    /// #[tool(traits(effect = "read"))]
    /// async fn count(call: &CallContext) -> u32 {
    ///     let mut seconds = 0;
    ///     let mut tick = tokio::time::interval(std::time::Duration::from_secs(1));
    ///     loop {
    ///         tokio::select! {
    ///             _ = tick.tick() => seconds += 1,
    ///             () = call.cancelled() => return seconds,
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// [`Session::cancel`]: crate::Session::cancel
    /// [`Session::abort`]: crate::Session::abort
    pub async fn cancelled(&self) {
        self.signal().fired().await;
    }

    /// Whether the call is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.rare.get().is_some_and(|rare| rare.signal.is_fired())
    }

    /// Tells whoever listens how far the call is: a fraction between 0 and 1, or none that is known.
    ///
    /// Models do not read it, unless the call has become a task. See [`Session::events`](crate::Session::events).
    pub fn progress(&self, fraction: impl Into<Option<f64>>, message: impl Into<String>) {
        let fraction: Option<f64> = fraction.into();
        let fraction = fraction.map(|part| part.clamp(0.0, 1.0));
        let progress = Progress::new(fraction.filter(|part| !part.is_nan()), message.into());
        self.emit(|| EventKind::Progress {
            fraction: progress.fraction,
            message: progress.message.clone(),
        });
        self.rare().marks().progress = Some(progress);
    }

    /// Tells whoever listens a line of the call's log. Models do not read it, unless the call has
    /// become a task: of that they can read the last 100 lines, each up to 1,000 bytes.
    pub fn log(&self, line: impl Into<String>) {
        let line = line.into();
        self.rare().marks().log(&line);
        self.emit(|| EventKind::Log(line));
    }

    /// Sets what people see in place of the tool's title: [`ToolResult::title`].
    ///
    /// [`ToolResult::title`]: crate::ToolResult::title
    pub fn title(&self, text: impl Into<String>) {
        self.rare().marks().shown.get_or_insert_default().title = Some(text.into());
    }

    /// Sets data for the host program, which models do not read: [`ToolResult::metadata`].
    ///
    /// [`ToolResult::metadata`]: crate::ToolResult::metadata
    pub fn metadata(&self, value: Value) {
        self.rare().marks().shown.get_or_insert_default().metadata = Some(value);
    }

    /// Runs one side effect of the call under a name.
    ///
    /// An executor that survives a crash keeps the result and does not run it again; the one of this
    /// crate just awaits it.
    pub async fn step<F: Future>(&self, name: &str, future: F) -> F::Output {
        let _ = name;
        future.await
    }

    /// Tells whoever listens.
    pub(crate) fn emit(&self, kind: impl FnOnce() -> EventKind) {
        self.0.session.channel().send(|| CallEvent {
            id: self.0.id.clone(),
            tool: self.name().to_owned(),
            number: self.0.number,
            kind: kind(),
        });
    }

    /// Runs code of the tool, which does not panic, as this call's.
    #[inline]
    pub(crate) fn within<T>(&self, guarded: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let value = guarded();
        CURRENT.set(before);
        value
    }

    /// Runs the tool's function, on a thread of its own, as this call's code.
    pub(crate) fn thread_scope<T>(self, function: impl FnOnce() -> T) -> T {
        self.0.on_thread.store(true, Ordering::Relaxed);
        let _before = Before(CURRENT.replace(Some(self)));
        function()
    }

    pub(crate) fn is_on_thread(&self) -> bool {
        self.0.on_thread.load(Ordering::Relaxed)
    }

    /// Made at the first need.
    pub(crate) fn task_id(&self) -> TaskId {
        let task = &self.rare().task;
        task.get_or_init(|| self.0.session.ledger().next_id())
            .clone()
    }

    pub(crate) fn detach(&self) {
        self.0.detached.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_detached(&self) -> bool {
        self.0.detached.load(Ordering::Relaxed)
    }

    /// Whether it may go on when its step has waited long enough.
    pub(crate) fn outlives_timeout(&self) -> bool {
        self.is_detached() || self.0.definition.outlives_timeout()
    }

    /// The call whose code is running.
    #[inline]
    pub(crate) fn current() -> Option<Self> {
        let current = |slot: &Cell<Option<Self>>| {
            let call = slot.take();
            slot.set(call.clone());
            call
        };
        CURRENT.try_with(current).ok().flatten()
    }

    /// This call, the call whose tool makes it, and so on.
    pub(crate) fn with_outer(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |call| call.0.outer.as_ref())
    }

    /// Stops the clock of this call, and of the calls whose tools wait for it, until the value is
    /// dropped.
    pub(crate) fn stop_clocks(&self) -> StoppedClocks {
        let mut calls = vec![self.clone()];
        // Nobody waits for a call that goes on in the background.
        while let Some(call) = calls.last().filter(|call| !call.is_detached())
            && let Some(outer) = call.outer().cloned()
        {
            calls.push(outer);
        }
        calls.iter().for_each(|call| call.clock().stop());
        StoppedClocks(calls)
    }

    /// The call whose tool makes this one.
    pub(crate) fn outer(&self) -> Option<&Self> {
        self.0.outer.as_ref()
    }

    /// Whether a call that waits for this one is behind the gate already.
    pub(crate) fn is_inside(&self, gate: &Gate) -> bool {
        let mut outer = self.with_outer().skip(1);
        outer.any(|call| std::ptr::eq(call.0.session.gate(), gate))
    }

    /// To be read and set in the lock of the session's list only.
    pub(crate) fn index(&self) -> usize {
        self.0.index.load(Ordering::Relaxed)
    }

    pub(crate) fn set_index(&self, index: usize) {
        self.0.index.store(index, Ordering::Relaxed);
    }

    pub(crate) fn signal(&self) -> &Signal {
        &self.rare().signal
    }

    pub(crate) fn session_handle(&self) -> &Session {
        &self.0.session
    }

    pub(crate) fn definition(&self) -> &ToolDefinition {
        &self.0.definition
    }

    pub(crate) fn arguments(&self) -> &Arguments {
        &self.0.arguments
    }

    /// The arguments without secret values.
    pub(crate) fn shown_arguments(&self) -> Cow<'_, str> {
        let masked = masked(self.arguments(), self.definition().rows());
        masked.map_or(Cow::Borrowed(self.arguments().text()), Cow::Owned)
    }

    /// How long the call may take.
    pub(crate) fn timeout(&self) -> Duration {
        let own = self.0.definition.timeout();
        own.unwrap_or_else(|| self.0.session.default_timeout())
    }

    /// The id of a call that is over, and what its tool has said to people.
    #[inline]
    pub(crate) fn take_rest(&mut self) -> (String, Option<Box<Shown>>) {
        let rare = self.0.rare.get();
        let shown = rare.and_then(|rare| rare.marks().shown.take());
        let id = match Arc::get_mut(&mut self.0) {
            Some(inner) => std::mem::take(&mut inner.id),
            None => self.0.id.clone(),
        };
        (id, shown)
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.rare().clock
    }

    /// What the tool has said so far.
    pub(crate) fn told(&self) -> Told {
        let rare = self.0.rare.get();
        rare.map(|rare| rare.marks().told()).unwrap_or_default()
    }

    /// Whether it waits for an answer.
    pub(crate) fn is_asking(&self) -> bool {
        let rare = self.0.rare.get();
        rare.is_some_and(|rare| rare.clock.is_stopped())
    }

    /// The kind of the refusal that stands.
    pub(crate) fn refusal(&self) -> Option<ErrorKind> {
        self.0.rare.get()?.marks().refusal
    }

    fn rare(&self) -> &Rare {
        self.0.rare.get_or_init(Box::default)
    }
}

/// Clocks that stand still while somebody is asked.
pub(crate) struct StoppedClocks(Vec<CallContext>);

impl Drop for StoppedClocks {
    fn drop(&mut self) {
        self.0.iter().for_each(|call| call.clock().resume());
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext")
            .field("id", &self.0.id)
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
