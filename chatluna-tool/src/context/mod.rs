//! What a running call can ask of the runtime.

mod ask;
mod current;
mod outer;
mod tell;

use crate::arguments::{Arguments, masked};
use crate::background::TaskId;
use crate::deadline::Clock;
use crate::definition::ToolDefinition;
use crate::error::ErrorKind;
use crate::identity::{SessionInfo, TurnInfo};
use crate::marks::{Marks, Shown, Told};
use crate::session::Session;
use crate::signal::Signal;
use std::borrow::Cow;
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
    /// There once it was told that it goes on.
    moved: OnceLock<()>,
}

impl Rare {
    fn marks(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
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

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext")
            .field("id", &self.0.id)
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
