//! In which order the calls of a step run.
//!
//! Calls are walked in the model's order. Neighbours that are parallel run
//! together on the runtime's threads; a call that is not waits for all before
//! it and holds back all after it. A lone call is polled in place.

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
        }
    }

    pub(crate) fn is_parallel(&self) -> bool {
        self.context.definition().is_parallel()
    }

    pub(crate) fn take_question(&mut self) -> Option<Box<ApprovalRequest>> {
        self.question.take()
    }

    /// The result of a call that will not run.
    pub(crate) fn refusal(&self, error: ToolError) -> ToolResult {
        ToolResult::new(self.context.id().to_owned(), self.name.clone(), Err(error))
    }

    pub(crate) async fn run(mut self) -> ToolResult {
        let started = Instant::now();
        let outcome = run(self.prepared, &self.context).await;
        ToolResult::new(self.context.take_id(), self.name, outcome).after(started.elapsed())
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

/// Spawns every call of the batch. Dropping the set stops them all.
async fn run_beside(stages: impl Iterator<Item = Stage>, results: &mut Vec<ToolResult>) {
    let first = results.len();
    let has_tokio = tokio::runtime::Handle::try_current().is_ok();
    let mut running = JoinSet::new();
    for (index, stage) in stages.enumerate() {
        match stage {
            Stage::Answered(result) => results.push(result),
            // The result stands for the call until its own is there: for good
            // only without tokio, or when it shuts down under the call.
            Stage::Ready(call) if has_tokio => {
                results.push(call.refusal(shutting_down()));
                running.spawn(async move { (first + index, call.run().await) });
            }
            Stage::Ready(call) => {
                results.push(call.refusal(no_tokio()));
                drop_guarded(call);
            }
        }
    }
    while let Some(joined) = running.join_next().await {
        if let Ok((index, result)) = joined {
            results[index] = result;
        }
    }
}

pub(crate) fn shutting_down() -> ToolError {
    ToolError::of_kind(ErrorKind::Unavailable, "the host program is shutting down")
}
