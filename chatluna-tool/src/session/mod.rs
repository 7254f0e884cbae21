//! One conversation, and the only way to a tool: [`Session::execute`].

mod answer;
mod appended;
mod ask;
mod followed;
mod judge;
mod look_up;
mod moment;
mod outputs;
mod refusal;
mod retrieve;
mod search;
mod stage;
mod tasks;
mod view;

pub(crate) use answer::Approved;
pub(crate) use appended::Appended;
pub(crate) use refusal::too_late;
pub(crate) use search::Ranking;
pub(crate) use view::View;

use crate::arguments::Arguments;
use crate::call::{ToolCall, ToolResult};
use crate::calls::Calls;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::event::{Channel, Events};
use crate::executor::Executor;
use crate::failures::Failures;
use crate::gate::Gate;
use crate::identity::SessionInfo;
use crate::permission::{
    Approver, Audit, GrantStore, Memory, Pending, PermissionPolicy, Remembered,
};
use crate::ready_call::ReadyCall;
use crate::runtime::{Overrides, Runtime};
use crate::scheduler::{Stage, attempt_alone, run_on, run_step};
use crate::tool::Tool;
use followed::Followed;
use futures_util::future::{Either, select};
use moment::Moment;
use std::convert::identity;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

/// One conversation with the runtime's tools. Cheap to clone; threads can share it.
///
/// ```
/// use chatluna_tool::{Runtime, SessionInfo, ToolCall, tool, tools};
///
/// /// Doubles a number
/// #[tool(traits(parallel, effect = "read"))]
/// async fn double(number: i64) -> i64 {
///     2 * number
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), chatluna_tool::BuildError> {
/// let runtime = Runtime::builder().tools(tools![double]).build()?;
/// let session = runtime.session(SessionInfo::new("chat-7"));
/// let calls = [
///     ToolCall::new("double", r#"{"number": 21}"#).id("call_1"),
///     ToolCall::new("duoble", "{}").id("call_2"), // a model may write anything
/// ];
/// let results = session.execute(calls).await;
/// assert_eq!(results[0].text(), "42");
/// assert_eq!((results[1].id(), results[1].error().is_some()), ("call_2", true));
/// # Ok(())
/// # }
/// ```
///
/// Steps of one session may overlap. A call that is not parallel is alone in all of them, but for
/// calls that a tool makes: they run in the tool's place.
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    runtime: Runtime,
    info: SessionInfo,
    overrides: Overrides,
    shared: Arc<Shared>,
    /// The session whose sub-agent has this one.
    parent: Option<Session>,
}

/// What all handles of one session id have in common.
pub(crate) struct Shared {
    gate: Gate,
    calls: Calls,
    channel: Channel,
    next_number: AtomicU64,
    failures: Failures,
    memory: Memory,
    pending: Pending,
    appended: Appended,
    followed: Followed,
    moment: Mutex<Moment>,
}

impl Shared {
    pub(crate) fn new(max_concurrency: usize, appended: Appended) -> Self {
        Self {
            gate: Gate::new(max_concurrency),
            calls: Calls::default(),
            channel: Channel::default(),
            next_number: AtomicU64::new(1),
            failures: Failures::default(),
            memory: Memory::default(),
            pending: Pending::default(),
            appended,
            followed: Followed::default(),
            moment: Mutex::default(),
        }
    }
}

impl Session {
    pub(crate) fn new(
        runtime: Runtime,
        info: SessionInfo,
        overrides: Overrides,
        shared: Arc<Shared>,
        parent: Option<Session>,
    ) -> Self {
        Self(Arc::new(Inner {
            runtime,
            info,
            overrides,
            shared,
            parent,
        }))
    }

    /// Who the session is.
    pub fn info(&self) -> &SessionInfo {
        &self.0.info
    }

    pub(crate) fn appended(&self) -> &Appended {
        &self.0.shared.appended
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.0.shared.gate
    }

    pub(crate) fn calls(&self) -> &Calls {
        &self.0.shared.calls
    }

    pub(crate) fn channel(&self) -> &Channel {
        &self.0.shared.channel
    }

    pub(crate) fn failures(&self) -> &Failures {
        &self.0.shared.failures
    }

    fn memory(&self) -> &Memory {
        &self.0.shared.memory
    }

    fn pending_list(&self) -> &Pending {
        &self.0.shared.pending
    }

    fn approver(&self) -> Option<&Arc<dyn Approver>> {
        let own = self.0.overrides.approver.as_ref();
        own.or(self.0.runtime.parts().approver.as_ref())
    }

    fn policy(&self) -> &PermissionPolicy {
        let own = self.0.overrides.policy.as_ref();
        own.unwrap_or(&self.0.runtime.parts().policy)
    }

    fn shadow_policy(&self) -> Option<&PermissionPolicy> {
        let own = self.0.overrides.shadow_policy.as_ref();
        own.or(self.0.runtime.parts().shadow_policy.as_ref())
    }

    fn audit(&self) -> Option<&Audit> {
        self.0.runtime.parts().audit.as_ref()
    }

    fn grants(&self) -> &dyn GrantStore {
        self.0.runtime.grants()
    }

    /// Whether anything but a mode decides.
    #[inline]
    fn has_rules(&self) -> bool {
        !self.policy().rules().is_empty()
            || !self.memory().is_empty()
            || self.0.runtime.keeps_answers()
    }

    /// The answers that are remembered now.
    fn remembered(&self) -> Remembered {
        self.memory().with(self.0.runtime.kept_answers())
    }

    fn approval_timeout(&self) -> Duration {
        self.0.runtime.parts().approval_timeout
    }

    pub(crate) fn traces_arguments(&self) -> bool {
        self.0.runtime.traces_arguments()
    }

    pub(crate) fn executor(&self) -> &dyn Executor {
        self.0.runtime.executor()
    }

    pub(crate) fn builtin(&self, view: &View<'_>, name: &str) -> Option<&'static Arc<dyn Tool>> {
        let mut builtins = self.appended().builtins(view);
        builtins.find(|tool| tool.definition().name() == name)
    }

    pub(crate) fn overrides(&self) -> &Overrides {
        &self.0.overrides
    }

    /// A number that no other call of the session has.
    pub(crate) fn next_number(&self) -> u64 {
        self.0.shared.next_number.fetch_add(1, Ordering::Relaxed)
    }

    /// What happens in the session from now on, in all its handles.
    ///
    /// A listener that is slow loses events and is told how many; nobody waits for it.
    ///
    /// ```
    /// use chatluna_tool::{CallContext, Event, EventKind, Runtime, SessionInfo, tool, tools};
    ///
    /// /// Works
    /// #[tool(traits(effect = "read"))]
    /// async fn work(call: &CallContext) {
    ///     call.progress(0.5, "half way");
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), chatluna_tool::BuildError> {
    /// let runtime = Runtime::builder().tools(tools![work]).build()?;
    /// let session = runtime.session(SessionInfo::new("s"));
    /// let mut events = session.events();
    /// session.call("work", "{}").await;
    /// drop((session, runtime));
    /// let mut lines = Vec::new();
    /// while let Some(event) = events.next().await {
    ///     lines.push(match event {
    ///         Event::Call(event) => match event.kind {
    ///             EventKind::Progress { message, .. } => format!("{}: {message}", event.tool),
    ///             EventKind::Started => format!("{} started", event.tool),
    ///             EventKind::Finished { .. } => format!("{} finished", event.tool),
    ///             _ => continue,
    ///         },
    ///         _ => continue,
    ///     });
    /// }
    /// assert_eq!(lines, ["work started", "work: half way", "work finished"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn events(&self) -> Events {
        self.channel().listen()
    }

    /// Tells every call with this id to end, and the calls that its tool makes; how many calls have
    /// the id and have not ended.
    ///
    /// A call that has not begun is not run. One that runs hears of it ([`cancelled`]), and has two
    /// seconds to end in good order: what it returns then is its result. After that its future is
    /// dropped; a plain `fn` runs to its end on its thread. Either way the call is answered, with
    /// the kind `cancelled`, and the other calls of the step go on.
    ///
    /// [`cancelled`]: crate::CallContext::cancelled
    pub fn cancel(&self, call_id: &str) -> usize {
        self.calls().cancel(|call| call.id() == call_id)
    }

    /// Tells every call of the session to end, those in the background included; how many there
    /// are. See [`cancel`](Self::cancel).
    ///
    /// Each call is answered. The session can be used on.
    pub fn abort(&self) -> usize {
        self.calls().cancel(|_| true)
    }

    /// The tools that the model is told of: the program's own, sorted by name, then those that came
    /// later, in the order in which they came.
    ///
    /// Later come tools that the model has found, and those that the runtime brings itself as they
    /// become of use: `tool_search` when there are tools to find, `read_output` once a result was cut,
    /// `task_cancel`, `task_list` and `task_output` once there is a task.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        let view = self.view();
        let told = view.told();
        let definitions = told.into_iter().map(|tool| tool.definition());
        definitions
            .map(|definition| view.described(definition))
            .collect()
    }

    /// The tools that a model has to search for, sorted by name: those that it has found too, which are
    /// among [`definitions`](Self::definitions) as well.
    ///
    /// For formats that load tools themselves: [`anthropic::deferred`](crate::anthropic::deferred),
    /// [`responses::deferred`](crate::openai::responses::deferred).
    pub fn deferred_definitions(&self) -> Vec<ToolDefinition> {
        let view = self.view();
        let deferred = view.program().filter(|tool| view.is_deferred(tool));
        deferred.map(|tool| tool.definition().clone()).collect()
    }

    /// All that the session sees, sorted by name.
    #[cfg(feature = "cli")]
    pub(crate) fn all_definitions(&self) -> Vec<ToolDefinition> {
        let view = self.view();
        let all = view.all().map(|tool| view.described(tool.definition()));
        let mut all: Vec<ToolDefinition> = all.collect();
        all.sort_by(|left, right| left.name().cmp(right.name()));
        all
    }

    /// The tool of this name, if the session sees it; one that the model has to search for too.
    ///
    /// # Errors
    /// `unknown_tool` with the nearest name.
    pub fn definition(&self, name: &str) -> Result<ToolDefinition, ToolError> {
        let view = self.view();
        let tool = view.visible(name).ok_or_else(|| view.unknown(name))?;
        Ok(view.described(tool.definition()))
    }

    /// Runs the calls of one model reply: one result a call, in call order, whatever happens.
    ///
    /// Arguments of all calls are read and permissions judged before the first
    /// one runs. Consecutive parallel calls run together, each other call runs
    /// alone. All questions are asked at once, in call order; while one is open,
    /// its call keeps its place, and only calls that may run beside it go on.
    ///
    /// Dropping the future stops what runs in it, at its next await; code that
    /// blocks a thread runs to its end, also past a timeout.
    ///
    /// A tool that calls tools of its own session awaits them in its own task:
    /// they run in its place. From a task that it spawned they would wait for
    /// the tool that waits for them, until its timeout.
    pub async fn execute(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolResult> {
        let results = match self.step(calls) {
            // Most steps are of one call: no order to keep, nothing to gather.
            Err(call) => {
                let stage = self.stage(&self.view(), call);
                match stage {
                    Stage::Ready(mut call) => self.finish(&mut call, |result| vec![result]).await,
                    Stage::Answered(result) => vec![*result],
                }
            }
            Ok(step) => Box::pin(self.run(step)).await,
        };
        self.told_for_good().await;
        results
    }

    /// Stages all calls before anything is awaited: the iterator need not be `Send`. A lone one is an
    /// `Err`.
    #[inline]
    fn step(&self, calls: impl IntoIterator<Item = ToolCall>) -> Result<Vec<Stage>, ToolCall> {
        let mut calls = calls.into_iter();
        let Some(first) = calls.next() else {
            return Ok(Vec::new());
        };
        let Some(second) = calls.next() else {
            return Err(first);
        };
        let both = [first, second].into_iter().chain(calls);
        let view = self.view();
        Ok(both.map(|call| self.stage(&view, call)).collect())
    }

    async fn run(&self, mut step: Vec<Stage>) -> Vec<ToolResult> {
        let cap = self.0.runtime.max_concurrency();
        if !step.iter().any(Stage::is_asking) {
            return run_step(step, cap).await;
        }
        let asking = self.raise(&mut step);
        while_driving(asking, run_step(step, cap)).await
    }

    /// Runs one call by hand, with all the steps of [`execute`](Self::execute). A tool that a model
    /// would have to search for is run as it is: the program knows it.
    pub async fn call(&self, name: &str, arguments: impl Into<Arguments>) -> ToolResult {
        let stage = self.stage(&self.view().by_hand(), ToolCall::new(name, arguments));
        let result = match stage {
            Stage::Ready(mut call) => self.finish(&mut call, identity).await,
            Stage::Answered(result) => *result,
        };
        self.told_for_good().await;
        result
    }

    /// Runs the only call of a step.
    //
    // What has to wait is boxed: most calls do without, and the future is moved about.
    pub(crate) async fn finish<T>(
        &self,
        call: &mut ReadyCall,
        make: impl Fn(ToolResult) -> T,
    ) -> T {
        if call.is_asking()
            && let Err(error) = Box::pin(self.settle(call)).await
        {
            return make(call.refuse(error));
        }
        let gate = self.gate();
        // Made at once: a result is large to move.
        match poll_fn(|cx| Poll::Ready(attempt_alone(gate, call, cx).map(&make))).await {
            Ok(made) => made,
            Err(left) => make(Box::pin(run_on(gate, call, left)).await),
        }
    }

    pub(crate) fn default_timeout(&self) -> Duration {
        self.0.runtime.default_timeout()
    }

    pub(crate) fn state<T: 'static>(&self) -> Option<&T> {
        let own = self.0.info.states.get();
        own.or_else(|| self.0.runtime.states().get())
    }
}

/// The output of `running`, `asking` being driven beside it.
async fn while_driving<T>(asking: impl Future<Output = ()>, running: impl Future<Output = T>) -> T {
    match select(pin!(asking), pin!(running)).await {
        Either::Left(((), running)) => running.await,
        Either::Right((output, _)) => output,
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Session").field(&self.0.info).finish()
    }
}
