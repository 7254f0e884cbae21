//! What a running call can ask of the runtime.

use crate::arguments::Arguments;
use crate::barrier::Barrier;
use crate::deadline::Clock;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::identity::{SessionInfo, TurnInfo};
use crate::permission::{ApprovalRequest, Permission};
use crate::session::Session;
use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    definition: ToolDefinition,
    arguments: Arguments,
    session: Session,
    turn: Option<Arc<TurnInfo>>,
    /// The call whose tool makes this one.
    outer: Option<CallContext>,
    clock: Clock,
    refusal: Mutex<Option<ErrorKind>>,
    /// Whether a thread runs the tool's function, which nothing can stop.
    on_thread: AtomicBool,
}

tokio::task_local! {
    /// The call whose code is running on this thread.
    static CURRENT: CallContext;
}

impl CallContext {
    pub(crate) fn new(
        id: String,
        definition: ToolDefinition,
        arguments: Arguments,
        session: Session,
    ) -> Self {
        Self(Arc::new(Inner {
            id,
            definition,
            arguments,
            turn: session.turn(),
            outer: Self::current(),
            session,
            clock: Clock::default(),
            refusal: Mutex::default(),
            on_thread: AtomicBool::new(false),
        }))
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
        let request = self.request(None, reason.into());
        let answer = self.0.session.ask(&request).await;
        // What is allowed now was not refused for good.
        *self.refusal_lock() = answer.as_ref().err().map(ToolError::kind);
        answer
    }

    /// Refuses the call: `return Err(call.deny("not on a Friday"))`.
    pub fn deny(&self, reason: impl fmt::Display) -> ToolError {
        *self.refusal_lock() = Some(ErrorKind::DeniedByPolicy);
        ToolError::of_kind(ErrorKind::DeniedByPolicy, reason)
    }

    /// Runs the tool's future as this call's code.
    pub(crate) fn scope<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }

    /// Runs the tool's function, on a thread of its own, as this call's code.
    pub(crate) fn thread_scope<T>(self, function: impl FnOnce() -> T) -> T {
        self.0.on_thread.store(true, Ordering::Relaxed);
        CURRENT.sync_scope(self, function)
    }

    pub(crate) fn is_on_thread(&self) -> bool {
        self.0.on_thread.load(Ordering::Relaxed)
    }

    /// The call whose code is running.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// This call, the call whose tool makes it, and so on.
    fn with_outer(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |call| call.0.outer.as_ref())
    }

    /// Stops the clock of this call, and of the calls whose tools make it, until the value is
    /// dropped.
    pub(crate) fn stop_clocks(&self) -> StoppedClocks {
        let calls: Vec<Self> = self.with_outer().cloned().collect();
        calls.iter().for_each(|call| call.0.clock.stop());
        StoppedClocks(calls)
    }

    /// Whether the code that is running belongs to a call behind this barrier.
    pub(crate) fn is_inside(barrier: &Barrier) -> bool {
        let inside = |current: &Self| {
            let mut barriers = current.with_outer().map(|call| call.0.session.barrier());
            barriers.any(|other| std::ptr::eq(other, barrier))
        };
        CURRENT.try_with(inside).unwrap_or(false)
    }

    pub(crate) fn session_handle(&self) -> &Session {
        &self.0.session
    }

    pub(crate) fn request(
        &self,
        permission: Option<Permission>,
        reason: Cow<'static, str>,
    ) -> ApprovalRequest {
        let own = || Permission::new(self.0.definition.tool_name().action().to_owned());
        ApprovalRequest::of_call(self, permission.unwrap_or_else(own), reason)
    }

    pub(crate) fn definition(&self) -> &ToolDefinition {
        &self.0.definition
    }

    pub(crate) fn arguments(&self) -> &Arguments {
        &self.0.arguments
    }

    /// How long the call may take.
    pub(crate) fn timeout(&self) -> Duration {
        let own = self.0.definition.timeout();
        own.unwrap_or_else(|| self.0.session.default_timeout())
    }

    /// The id of a call that is over; copied only when the tool kept its context.
    pub(crate) fn take_id(&mut self) -> String {
        match Arc::get_mut(&mut self.0) {
            Some(inner) => std::mem::take(&mut inner.id),
            None => self.0.id.clone(),
        }
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The kind of the refusal that stands.
    pub(crate) fn refusal(&self) -> Option<ErrorKind> {
        *self.refusal_lock()
    }

    fn refusal_lock(&self) -> MutexGuard<'_, Option<ErrorKind>> {
        self.0
            .refusal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Clocks that stand still while somebody is asked.
pub(crate) struct StoppedClocks(Vec<CallContext>);

impl Drop for StoppedClocks {
    fn drop(&mut self) {
        self.0.iter().for_each(|call| call.0.clock.resume());
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
