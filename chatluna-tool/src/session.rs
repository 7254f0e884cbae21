//! One conversation, and the only way to a tool: [`Session::execute`].

use crate::arguments::Arguments;
use crate::call::{ToolCall, ToolResult};
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::guard::{Guarded, Panicked, guard};
use crate::nearest::nearest;
use crate::permission::{Answer, ApprovalRequest, Approver, Judged, Verdict};
use crate::runtime::Runtime;
use crate::scheduler::{ReadyCall, Stage, run_step};
use crate::state::{State, States};
use crate::tool::{PreparedCall, Tool};
use futures_util::future::join_all;
use std::fmt;
use std::sync::Arc;

/// The most names that an answer to an unknown name lists.
const MAX_NAMES: usize = 20;

/// Who a session is and what it brings along.
///
/// ```
/// use chatluna_tool::SessionInfo;
///
/// let info = SessionInfo::new("chat-7").agent("planner");
/// assert_eq!((&*info.id, info.agent.as_deref()), ("chat-7", Some("planner")));
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct SessionInfo {
    /// The id of the conversation.
    pub id: String,
    /// The agent that calls, where there are several.
    pub agent: Option<String>,
    states: States,
}

impl SessionInfo {
    /// A session with this id.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            ..Self::default()
        }
    }

    /// Names the agent that calls.
    #[must_use]
    pub fn agent(mut self, name: impl Into<String>) -> Self {
        self.agent = Some(name.into());
        self
    }

    /// Adds a value that tools of this session take as `&T`; it goes before the runtime's.
    ///
    /// A type that only sessions bring is announced with
    /// [`RuntimeBuilder::session_state`](crate::RuntimeBuilder::session_state).
    #[must_use]
    pub fn state<T: State>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }
}

impl fmt::Debug for SessionInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionInfo")
            .field("id", &self.id)
            .field("agent", &self.agent)
            .finish_non_exhaustive()
    }
}

/// One conversation with the runtime's tools. Cheap to clone.
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    runtime: Runtime,
    info: SessionInfo,
    approver: Option<Arc<dyn Approver>>,
}

impl Session {
    pub(crate) fn new(
        runtime: Runtime,
        info: SessionInfo,
        approver: Option<Arc<dyn Approver>>,
    ) -> Self {
        Self(Arc::new(Inner {
            runtime,
            info,
            approver,
        }))
    }

    /// Who the session is.
    pub fn info(&self) -> &SessionInfo {
        &self.0.info
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
        Ok(self.look_up(name)?.definition().clone())
    }

    /// Runs the calls of one model reply: one result a call, in call order, whatever happens.
    ///
    /// Arguments of all calls are read and permissions judged before the first
    /// one runs. Consecutive parallel calls run together, each other call runs
    /// alone. Dropping the future stops what runs in it; code that blocks a
    /// thread runs to its end.
    pub async fn execute(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolResult> {
        let mut step: Vec<Stage> = calls.into_iter().map(|call| self.stage(call)).collect();
        self.ask_about(&mut step).await;
        run_step(step).await
    }

    /// Runs one call by hand, with all the steps of [`execute`](Self::execute).
    pub async fn call(&self, name: &str, arguments: impl Into<Arguments>) -> ToolResult {
        match self.stage(ToolCall::new(name, arguments)) {
            Stage::Answered(result) => result,
            Stage::Ready(mut call) => match self.answer(&mut call).await {
                Ok(()) => call.run().await,
                Err(error) => call.refusal(error),
            },
        }
    }

    /// Look up, prepare, authorize: all that comes before anything runs.
    fn stage(&self, call: ToolCall) -> Stage {
        let prepared = self.look_up(&call.name).and_then(|tool| {
            let prepared = prepare(tool, &call.arguments)?;
            Ok((tool.definition(), prepared))
        });
        match prepared {
            Ok((definition, prepared)) => self.authorize(call, definition, prepared),
            Err(error) => Stage::Answered(ToolResult::new(call.id, call.name, Err(error))),
        }
    }

    /// Among the visible tools only: a hidden one is unknown.
    fn look_up(&self, name: &str) -> Result<&Arc<dyn Tool>, ToolError> {
        let tool = self.0.runtime.registry().get(name);
        tool.filter(|tool| self.sees(tool))
            .ok_or_else(|| self.unknown(name))
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
    fn authorize(
        &self,
        call: ToolCall,
        definition: &ToolDefinition,
        prepared: Box<dyn PreparedCall>,
    ) -> Stage {
        let permission = match guard(|| prepared.permission()) {
            Ok(permission) => permission,
            Err(panicked) => {
                let error = panicked_error("the permission hook", &panicked);
                return Stage::Answered(ToolResult::new(call.id, call.name, Err(error)));
            }
        };
        let decision = self.0.runtime.policy().decide(&Judged {
            tool: definition.tool_name().action(),
            permission: permission.as_ref(),
            effect: definition.effect(),
        });
        if decision.verdict == Verdict::Deny {
            let text = format_args!(
                "the call was refused: {}; do not try it again",
                decision.cause
            );
            let error = ToolError::of_kind(ErrorKind::DeniedByPolicy, text);
            return Stage::Answered(ToolResult::new(call.id, call.name, Err(error)));
        }
        let context = CallContext::new(call.id, definition.clone(), call.arguments, self.clone());
        let question = (decision.verdict == Verdict::Ask)
            .then(|| context.request(permission, decision.cause.to_string().into()));
        let timeout = definition.timeout();
        let timeout = timeout.unwrap_or(self.0.runtime.default_timeout());
        Stage::Ready(ReadyCall::new(
            call.name, context, prepared, timeout, question,
        ))
    }

    /// Raises all questions of the step at once, in call order.
    async fn ask_about(&self, step: &mut [Stage]) {
        let asking = step.iter_mut().filter(|stage| stage.is_asking());
        join_all(asking.map(|stage| self.settle(stage))).await;
    }

    async fn settle(&self, stage: &mut Stage) {
        let Stage::Ready(call) = stage else { return };
        if let Err(error) = self.answer(call).await {
            *stage = Stage::Answered(call.refusal(error));
        }
    }

    async fn answer(&self, call: &mut ReadyCall) -> Result<(), ToolError> {
        match call.take_question() {
            Some(question) => self.ask(&question).await,
            None => Ok(()),
        }
    }

    pub(crate) async fn ask(&self, request: &ApprovalRequest) -> Result<(), ToolError> {
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

    pub(crate) fn state<T: 'static>(&self) -> Option<&T> {
        let own = self.0.info.states.get();
        own.or_else(|| self.0.runtime.states().get())
    }
}

/// Reads the arguments behind the guard.
fn prepare(
    tool: &Arc<dyn Tool>,
    arguments: &Arguments,
) -> Result<Box<dyn PreparedCall>, ToolError> {
    let tool = Arc::clone(tool);
    match guard(|| tool.prepare(arguments)) {
        Ok(Ok(prepared)) => Ok(prepared),
        Ok(Err(error)) => Err(ToolError::of_kind(
            if error.is_malformed() {
                ErrorKind::MalformedArguments
            } else {
                ErrorKind::InvalidArguments
            },
            error,
        )),
        Err(panicked) => Err(panicked_error("reading the arguments", &panicked)),
    }
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
