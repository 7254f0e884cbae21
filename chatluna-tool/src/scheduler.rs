//! In which order the calls of a step run.
//!
//! Calls are walked in the model's order. Neighbours that are parallel run
//! together on the runtime's threads, but for those of one key, which run one
//! after the other; a call that is not waits for all before it and holds back
//! all after it. A lone call is polled in place.

use crate::arguments::Repair;
use crate::barrier::Barrier;
use crate::call::ToolResult;
use crate::context::CallContext;
use crate::deadline::{Expired, within};
use crate::error::{ErrorKind, ToolError};
use crate::guard::{Guarded, drop_guarded, guard};
use crate::output::ToolOutput;
use crate::permission::ApprovalRequest;
use crate::session::panicked_error;
use crate::tool::{Effect, PreparedCall};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// A call on its way.
pub(crate) enum Stage {
    Answered(ToolResult),
    Ready(ReadyCall),
}

impl Stage {
    /// Notes how the call was read.
    pub(crate) fn set_repairs(&mut self, repairs: Vec<Repair>) {
        match self {
            Self::Answered(result) => result.set_repairs(repairs),
            Self::Ready(call) => call.repairs = repairs,
        }
    }

    pub(crate) fn is_asking(&self) -> bool {
        matches!(self, Self::Ready(call) if call.question.is_some())
    }

    fn is_parallel(&self) -> bool {
        match self {
            // Nothing is left to run: it holds nobody back.
            Self::Answered(_) => true,
            Self::Ready(call) => call.is_parallel(),
        }
    }
}

/// A call that may run once its question, if it has one, is answered.
pub(crate) struct ReadyCall {
    name: String,
    context: CallContext,
    prepared: Box<dyn PreparedCall>,
    // Boxed: most calls have none, and calls are moved about.
    question: Option<Box<ApprovalRequest>>,
    repairs: Vec<Repair>,
}

impl ReadyCall {
    pub(crate) fn new(
        name: String,
        context: CallContext,
        prepared: Box<dyn PreparedCall>,
        question: Option<ApprovalRequest>,
    ) -> Self {
        Self {
            name,
            context,
            prepared,
            question: question.map(Box::new),
            repairs: Vec::new(),
        }
    }

    pub(crate) fn is_parallel(&self) -> bool {
        self.context.definition().is_parallel()
    }

    /// What it must not run beside. Asked of calls that others could run beside: a lone call does
    /// not pay for it.
    fn key(&self) -> Result<Option<String>, ToolError> {
        let key = guard(|| self.prepared.key());
        key.map_err(|panicked| panicked_error("the key", &panicked))
    }

    pub(crate) fn take_question(&mut self) -> Option<Box<ApprovalRequest>> {
        self.question.take()
    }

    /// The result of a call that will not run.
    pub(crate) fn refusal(&self, error: ToolError) -> ToolResult {
        let id = self.context.id().to_owned();
        let mut result = ToolResult::new(id, self.name.clone(), Err(error));
        result.set_repairs(self.repairs.clone());
        result
    }

    pub(crate) async fn run(mut self) -> ToolResult {
        let started = Instant::now();
        let outcome = run(self.prepared, &self.context).await;
        let result = ToolResult::new(self.context.take_id(), self.name, outcome);
        let mut result = result.after(started.elapsed());
        result.set_repairs(self.repairs);
        result
    }
}

async fn run(
    prepared: Box<dyn PreparedCall>,
    context: &CallContext,
) -> Result<ToolOutput, ToolError> {
    let call = context.clone();
    let future = guard(|| prepared.run(call));
    let future = future.map_err(|panicked| panicked_error("the tool", &panicked))?;
    let future = context.clone().scope(Guarded::new(future));
    let timeout = context.timeout();
    match within(timeout, context.clock(), future).await {
        Ok(Ok(Ok(output))) => Ok(output),
        Ok(Ok(Err(error))) => Err(match context.refusal() {
            Some(kind) => ToolError::of_kind(kind, error),
            None => error,
        }),
        Ok(Err(panicked)) => Err(panicked_error("the tool", &panicked)),
        Err(expired) => Err(expired_error(&expired, timeout, context)),
    }
}

fn expired_error(expired: &Expired, timeout: Duration, context: &CallContext) -> ToolError {
    let end = if context.is_on_thread() {
        "given up, its thread runs to its end"
    } else {
        "stopped"
    };
    let after = match context.definition().effect() {
        Effect::Read => "it only reads, so nothing was changed",
        Effect::Write | Effect::Exec => "its effect may or may not have happened",
    };
    match expired {
        Expired::Timeout => ToolError::of_kind(
            ErrorKind::Timeout,
            format_args!("the call took longer than {timeout:?} and was {end}; {after}"),
        ),
        Expired::NoTimer => no_tokio(),
    }
}

pub(crate) fn no_tokio() -> ToolError {
    ToolError::of_kind(
        ErrorKind::Unavailable,
        "the host program runs no tokio runtime with a timer (`enable_all`), which this call needs",
    )
}

/// Runs a step; one result a stage, in order.
pub(crate) async fn run_step(step: Vec<Stage>, barrier: &Barrier) -> Vec<ToolResult> {
    let mut results = Vec::with_capacity(step.len());
    let mut rest = step.into_iter();
    while let Some(next) = Batch::next(rest.as_slice()) {
        let stages = rest.by_ref().take(next.length);
        let _place = match next.ready {
            0 => None,
            _ => Some(barrier.enter(next.parallel).await),
        };
        if next.ready > 1 {
            run_beside(stages, &mut results).await;
        } else {
            run_lone(stages, &mut results).await;
        }
    }
    results
}

/// The stages that come next together.
struct Batch {
    length: usize,
    parallel: bool,
    /// How many of them are still to run.
    ready: usize,
}

impl Batch {
    fn next(rest: &[Stage]) -> Option<Self> {
        let first = rest.first()?;
        let together = rest.iter().take_while(|stage| stage.is_parallel()).count();
        let length = together.max(1);
        let ready = |stage: &&Stage| matches!(stage, Stage::Ready(_));
        Some(Self {
            length,
            parallel: first.is_parallel(),
            ready: rest[..length].iter().filter(ready).count(),
        })
    }
}

/// Runs the one call of a batch, if there is one, in place.
async fn run_lone(stages: impl Iterator<Item = Stage>, results: &mut Vec<ToolResult>) {
    for stage in stages {
        results.push(match stage {
            Stage::Answered(result) => result,
            Stage::Ready(call) => call.run().await,
        });
    }
}

/// Spawns the calls of the batch, a task a lane. Dropping the set stops them all.
async fn run_beside(stages: impl Iterator<Item = Stage>, results: &mut Vec<ToolResult>) {
    let has_tokio = tokio::runtime::Handle::try_current().is_ok();
    let mut lanes = Vec::new();
    for stage in stages {
        let call = match stage {
            Stage::Ready(call) => call,
            Stage::Answered(result) => {
                results.push(result);
                continue;
            }
        };
        // The result stands for the call until its own is there: for good only without tokio, or
        // when it shuts down under the call.
        match call.key() {
            Ok(key) if has_tokio => {
                results.push(call.refusal(shutting_down()));
                enter(&mut lanes, key, (results.len() - 1, call));
            }
            Ok(_) => refuse(call, no_tokio(), results),
            Err(panicked) => refuse(call, panicked, results),
        }
    }
    let mut running: JoinSet<_> = lanes.into_iter().map(Lane::run).collect();
    while let Some(joined) = running.join_next().await {
        for (index, result) in joined.into_iter().flatten() {
            results[index] = result;
        }
    }
}

fn refuse(call: ReadyCall, error: ToolError, results: &mut Vec<ToolResult>) {
    results.push(call.refusal(error));
    drop_guarded(call);
}

/// Calls that run one after the other, with the places of their results.
struct Lane {
    key: Option<String>,
    calls: Vec<(usize, ReadyCall)>,
}

impl Lane {
    async fn run(self) -> Vec<(usize, ToolResult)> {
        let mut results = Vec::with_capacity(self.calls.len());
        for (index, call) in self.calls {
            results.push((index, call.run().await));
        }
        results
    }
}

/// Puts a call behind those of its key; without one it has a lane of its own.
fn enter(lanes: &mut Vec<Lane>, key: Option<String>, call: (usize, ReadyCall)) {
    let of_key = |lane: &&mut Lane| key.is_some() && lane.key == key;
    match lanes.iter_mut().find(of_key) {
        Some(lane) => lane.calls.push(call),
        None => lanes.push(Lane {
            key,
            calls: vec![call],
        }),
    }
}

pub(crate) fn shutting_down() -> ToolError {
    ToolError::of_kind(ErrorKind::Unavailable, "the host program is shutting down")
}
