//! One conversation, and the only way to a tool: [`Session::execute`].

use crate::arguments::{Arguments, Repair};
use crate::call::{ToolCall, ToolResult};
use crate::calls::Calls;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::event::{Channel, EventKind, Events};
use crate::executor::Executor;
use crate::failures::{Failures, Fingerprint};
use crate::gate::Gate;
use crate::guard::{Guarded, Panicked, drop_guarded, guard};
use crate::identity::{SessionInfo, TurnInfo};
use crate::name::plain_name;
use crate::nearest::nearest;
use crate::permission::{Answer, ApprovalRequest, Approver, Decision, Judged, Permission, Verdict};
use crate::provider::original_tool_name;
use crate::reading::prepare;
use crate::ready_call::ReadyCall;
use crate::runtime::Runtime;
use crate::scheduler::{Stage, run_alone, run_step, unless_cancelled};
use crate::tool::{Effect, PreparedCall, Tool};
use futures_util::future::join_all;
use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The most names that an answer to an unknown name lists.
const MAX_NAMES: usize = 20;

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
    approver: Option<Arc<dyn Approver>>,
    shared: Arc<Shared>,
}

/// What all handles of one session id have in common.
#[derive(Debug)]
pub(crate) struct Shared {
    gate: Gate,
    calls: Calls,
    channel: Channel,
    next_number: AtomicU64,
    failures: Failures,
    turn: Mutex<Option<Arc<TurnInfo>>>,
}

impl Shared {
    pub(crate) fn new(max_concurrency: usize) -> Self {
        Self {
            gate: Gate::new(max_concurrency),
            calls: Calls::default(),
            channel: Channel::default(),
            next_number: AtomicU64::new(1),
            failures: Failures::default(),
            turn: Mutex::default(),
        }
    }
}

impl Session {
    pub(crate) fn new(
        runtime: Runtime,
        info: SessionInfo,
        approver: Option<Arc<dyn Approver>>,
        shared: Arc<Shared>,
    ) -> Self {
        Self(Arc::new(Inner {
            runtime,
            info,
            approver,
            shared,
        }))
    }

    /// Who the session is.
    pub fn info(&self) -> &SessionInfo {
        &self.0.info
    }

    /// Opens a turn: the calls that follow answer this message of the user.
    ///
    /// The session has one turn at a time. A program that may get a message while it answers
    /// another one of the same session takes them one after the other.
    ///
    /// Within a turn, a call that has failed twice in a row with the same arguments is not run a
    /// third time. Without a turn each [`execute`](Self::execute) is one of its own.
    pub fn begin_turn(&self, turn: TurnInfo) {
        self.0.shared.failures.clear();
        *self.turn_lock() = Some(Arc::new(turn));
    }

    /// The turn that is open.
    pub(crate) fn turn(&self) -> Option<Arc<TurnInfo>> {
        self.turn_lock().clone()
    }

    fn turn_lock(&self) -> MutexGuard<'_, Option<Arc<TurnInfo>>> {
        let turn = &self.0.shared.turn;
        turn.lock().unwrap_or_else(PoisonError::into_inner)
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

    pub(crate) fn traces_arguments(&self) -> bool {
        self.0.runtime.traces_arguments()
    }

    pub(crate) fn executor(&self) -> &dyn Executor {
        self.0.runtime.executor()
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
    /// A call that has not begun is not run. One that runs hears of it
    /// ([`CallContext::cancelled`]), and has two seconds to end in good order: what it returns then
    /// is its result. After that its future is dropped; a plain `fn` runs to its end on its thread.
    /// Either way the call is answered, with the kind `cancelled`, and the other calls of the step
    /// go on.
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

    /// The tools that this session sees, sorted by name.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        let tools = self.0.runtime.registry().tools().iter();
        let visible = tools.filter(|tool| self.sees(tool));
        visible.map(|tool| tool.definition().clone()).collect()
    }

    /// The tool of this name, if the session sees it.
    ///
    /// # Errors
    /// `unknown_tool` with the nearest name.
    pub fn definition(&self, name: &str) -> Result<ToolDefinition, ToolError> {
        let tool = self.visible(name).ok_or_else(|| self.unknown(name))?;
        Ok(tool.definition().clone())
    }

    /// Runs the calls of one model reply: one result a call, in call order, whatever happens.
    ///
    /// Arguments of all calls are read and permissions judged before the first
    /// one runs. Consecutive parallel calls run together, each other call runs
    /// alone. Questions are answered before the first call runs.
    ///
    /// Dropping the future stops what runs in it, at its next await; code that
    /// blocks a thread runs to its end, also past a timeout.
    ///
    /// A tool that calls tools of its own session awaits them in its own task:
    /// they run in its place. From a task that it spawned they would wait for
    /// the tool that waits for them, until its timeout.
    pub async fn execute(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolResult> {
        // The iterator is used up before the first await: it need not be `Send`.
        let step = {
            let mut calls = calls.into_iter();
            match (calls.next(), calls.next()) {
                (None, _) => return Vec::new(),
                (Some(lone), None) => Err(lone),
                (Some(first), Some(second)) => Ok([first, second]
                    .into_iter()
                    .chain(calls)
                    .map(|call| self.stage(call).registered())
                    .collect::<Vec<Stage>>()),
            }
        };
        match step {
            // Most steps are of one call: no order to keep, nothing to gather.
            Err(lone) => vec![self.execute_one(lone).await],
            Ok(mut step) => {
                if step.iter().any(Stage::is_asking) {
                    self.ask_about(&mut step).await;
                }
                run_step(step, self.0.runtime.max_concurrency()).await
            }
        }
    }

    /// Runs one call by hand, with all the steps of [`execute`](Self::execute).
    pub async fn call(&self, name: &str, arguments: impl Into<Arguments>) -> ToolResult {
        self.execute_one(ToolCall::new(name, arguments)).await
    }

    async fn execute_one(&self, call: ToolCall) -> ToolResult {
        let mut call = match self.stage(call) {
            Stage::Answered(result) => return result,
            Stage::Ready(call) => call,
        };
        if call.is_asking() {
            call.register();
            if let Err(error) = self.answer(&mut call).await {
                return call.refuse(error);
            }
        }
        run_alone(&mut call).await
    }

    /// Look up, prepare, authorize: all that comes before anything runs.
    fn stage(&self, call: ToolCall) -> Stage {
        let turn = self.turn();
        let fingerprint = turn.as_ref().map(|_| Fingerprint::of(&call));
        let checked = fingerprint.map(|fingerprint| self.failures().check(fingerprint));
        if let Some(Err(repeated)) = checked {
            return Stage::Answered(ToolResult::new(call.id, call.name, Err(repeated)));
        }
        let mut stage = self.staged(call, turn);
        if let Some(fingerprint) = fingerprint {
            stage.set_fingerprint(fingerprint, self.failures());
        }
        stage
    }

    fn staged(&self, call: ToolCall, turn: Option<Arc<TurnInfo>>) -> Stage {
        let found = self.look_up(&call).and_then(|(tool, renamed)| {
            let (prepared, mended) = prepare(tool, &call)?;
            Ok((tool.definition(), prepared, mended, renamed))
        });
        match found {
            Ok((definition, prepared, None, None)) => self.judge(call, turn, definition, prepared),
            Ok((definition, prepared, mended, renamed)) => {
                let mut call = call;
                let mut repairs: Vec<Repair> =
                    renamed.map(|renamed| *renamed).into_iter().collect();
                if let Some(mended) = mended {
                    call.arguments = mended.arguments;
                    repairs.extend(mended.repairs);
                }
                let mut stage = self.judge(call, turn, definition, prepared);
                stage.set_repairs(repairs);
                stage
            }
            Err(error) => Stage::Answered(ToolResult::new(call.id, call.name, Err(error))),
        }
    }

    /// Among the visible tools only: a hidden one is unknown.
    fn visible(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let tool = self.0.runtime.registry().get(name);
        tool.filter(|tool| self.sees(tool))
    }

    /// The tool that a model means, and how its name was read if it is another.
    pub(crate) fn look_up(&self, call: &ToolCall) -> Result<Meant<'_>, ToolError> {
        let name = &call.name;
        if let Some(tool) = self.visible(name).or_else(|| self.renamed(call)) {
            return Ok((tool, None));
        }
        let tool = self.undecorated(name).ok_or_else(|| self.unknown(name))?;
        let own = tool.definition().name();
        Ok((tool, Some(Box::new(Repair::of_name(name, own)))))
    }

    /// The tool that travels under the call's name in its dialect.
    fn renamed(&self, call: &ToolCall) -> Option<&Arc<dyn Tool>> {
        let tools = self.0.runtime.registry().tools().iter();
        let names = tools.map(|tool| tool.definition().name());
        self.visible(original_tool_name(&call.name, names, call.dialect?)?)
    }

    /// The one visible tool that is called so but for what models put around names.
    fn undecorated(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let plain = plain_name(name);
        let tools = self.0.runtime.registry().tools().iter();
        let alike = tools.filter(|tool| plain_name(tool.definition().name()) == plain);
        let mut seen = alike.filter(|tool| self.sees(tool));
        seen.next().filter(|_| seen.next().is_none())
    }

    fn sees(&self, tool: &Arc<dyn Tool>) -> bool {
        guard(|| tool.visible(&self.0.info)).unwrap_or_else(|panicked| {
            let name = tool.definition().name();
            tracing::error!(%panicked, name, "a visibility hook panicked; its tool is hidden");
            false
        })
    }

    fn unknown(&self, name: &str) -> ToolError {
        let definitions = self.definitions();
        let names = definitions.iter().map(ToolDefinition::name);
        let hint = match nearest(name, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if definitions.is_empty() => "there are no tools".to_owned(),
            None => format!("there are: {}", listed(names)),
        };
        let shown: String = name.chars().take(80).collect();
        ToolError::of_kind(
            ErrorKind::UnknownTool,
            format_args!("no tool is named `{shown}`; {hint}"),
        )
    }

    /// Asks the tool what the call wants and the policy what it says to that.
    fn judge(
        &self,
        call: ToolCall,
        turn: Option<Arc<TurnInfo>>,
        definition: &ToolDefinition,
        prepared: Box<dyn PreparedCall>,
    ) -> Stage {
        let permission = match guard(|| prepared.permission()) {
            Ok(permission) => permission,
            Err(panicked) => {
                let error = panicked_error("the permission hook", &panicked);
                drop_guarded(prepared);
                return Stage::Answered(ToolResult::new(call.id, call.name, Err(error)));
            }
        };
        let decision = self.0.runtime.policy().decide(&Judged {
            tool: Some(definition.tool_name().action()),
            permission: permission.as_ref(),
            effect: definition.effect(),
        });
        if decision.verdict == Verdict::Deny {
            let error = denied(&decision);
            drop_guarded(prepared);
            return Stage::Answered(ToolResult::new(call.id, call.name, Err(error)));
        }
        let context = CallContext::new(
            call.id,
            definition.clone(),
            call.arguments,
            self.clone(),
            turn,
        );
        let question = (decision.verdict == Verdict::Ask)
            .then(|| context.request(permission, decision.cause.to_string().into()));
        Stage::Ready(ReadyCall::new(call.name, context, prepared, question))
    }

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
    async fn ask_about(&self, step: &mut [Stage]) {
        let asking = step.iter_mut().filter(|stage| stage.is_asking());
        join_all(asking.map(|stage| self.settle(stage))).await;
    }

    async fn settle(&self, stage: &mut Stage) {
        let Stage::Ready(call) = stage else { return };
        if let Err(error) = self.answer(call).await {
            *stage = Stage::Answered(call.refuse(error));
        }
    }

    async fn answer(&self, call: &mut ReadyCall) -> Result<(), ToolError> {
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
            Err(panicked) => Err(panicked_error("the approver", &panicked)),
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

/// A tool, and how its name was read where it was written otherwise.
pub(crate) type Meant<'session> = (&'session Arc<dyn Tool>, Option<Box<Repair>>);

fn denied(decision: &Decision<'_>) -> ToolError {
    let cause = &decision.cause;
    ToolError::of_kind(
        ErrorKind::DeniedByPolicy,
        format_args!("the call was refused: {cause}; do not try it again"),
    )
}

pub(crate) fn panicked_error(what: &str, panicked: &Panicked) -> ToolError {
    ToolError::of_kind(
        ErrorKind::Panicked,
        format_args!("{what} panicked: {panicked}"),
    )
}

fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown: Vec<&str> = names.take(MAX_NAMES).collect();
    let shown = shown.join(", ");
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Session").field(&self.0.info).finish()
    }
}
