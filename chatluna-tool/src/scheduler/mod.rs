//! In which order the calls of a step run.
//!
//! Calls are walked in the model's order. Neighbours that are parallel run
//! together on the runtime's threads, but for those of one key, which run one
//! after the other; a call that is not waits for all before it and holds back
//! all after it. A lone call is polled in place. The gate of the session keeps
//! this up where steps overlap.

mod batch;

use crate::call::ToolResult;
use crate::context::CallContext;
use crate::error::{ErrorKind, ToolError};
use crate::executor::Executed;
use crate::gate::{Gate, Pass, Place};
use crate::ready_call::ReadyCall;
use crate::session::too_late;
use batch::run_together;
use std::convert::identity;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll};

/// A call on its way.
pub(crate) enum Stage {
    // Boxed: most stages are calls that may run.
    Answered(Box<ToolResult>),
    Ready(ReadyCall),
}

impl Stage {
    pub(crate) fn answered(result: ToolResult) -> Self {
        Self::Answered(Box::new(result))
    }

    pub(crate) fn is_asking(&self) -> bool {
        matches!(self, Self::Ready(call) if call.is_asking())
    }

    /// The call, if it may run.
    pub(crate) fn ready(&mut self) -> Option<&mut ReadyCall> {
        match self {
            Self::Answered(_) => None,
            Self::Ready(call) => Some(call),
        }
    }

    fn is_parallel(&self) -> bool {
        match self {
            // Nothing is left to run: it holds nobody back.
            Self::Answered(_) => true,
            Self::Ready(call) => call.is_parallel(),
        }
    }
}

/// What a call that is not over at once waits for.
pub(crate) enum Left<'gate> {
    /// The gate.
    Gate(Pass),
    /// Its tool, in its place behind the gate.
    Tool(#[expect(dead_code, reason = "held until the call is over")] Option<Place<'gate>>),
}

/// Runs a call when the session's gate lets it in.
async fn run(call: &mut ReadyCall, mut key: Option<String>) -> ToolResult {
    let session = call.context().session_handle().clone();
    let gate = session.gate();
    match poll_fn(|cx| Poll::Ready(attempt(gate, call, key.take(), cx))).await {
        Ok(result) => result,
        Err(left) => run_on(gate, call, left).await,
    }
}

/// Takes a call that no other is beside in its step as far as it comes without waiting.
pub(crate) fn attempt_alone<'gate>(
    gate: &'gate Gate,
    call: &mut ReadyCall,
    cx: &mut Context<'_>,
) -> Result<ToolResult, Left<'gate>> {
    match call.key() {
        Ok(key) => attempt(gate, call, key, cx),
        Err(panicked) => Ok(call.refuse(panicked)),
    }
}

#[inline]
fn attempt<'gate>(
    gate: &'gate Gate,
    call: &mut ReadyCall,
    key: Option<String>,
    cx: &mut Context<'_>,
) -> Result<ToolResult, Left<'gate>> {
    // A call that a tool makes from within its own call runs in the tool's place: the tool waits
    // for it, so it cannot wait for the tool.
    let place = if call.context().is_inside(gate) {
        None
    } else {
        let parallel = call.is_parallel();
        match gate.try_enter(Pass { parallel, key }) {
            Ok(place) => Some(place),
            Err(pass) => return Err(Left::Gate(pass)),
        }
    };
    attempt_within(call, place, cx)
}

/// Begins a call in its place behind the gate; one that is a task has none.
#[inline]
pub(crate) fn attempt_within<'gate>(
    call: &mut ReadyCall,
    place: Option<Place<'gate>>,
    cx: &mut Context<'_>,
) -> Result<ToolResult, Left<'gate>> {
    if call.context().is_cancelled() {
        return Ok(call.refuse(cancelled_early()));
    }
    if call.is_stale() {
        return Ok(call.refuse(too_late()));
    }
    match call.begin(cx) {
        Poll::Ready(outcome) => Ok(call.close(outcome)),
        Poll::Pending => Err(Left::Tool(place)),
    }
}

/// Runs what an attempt has left of a call.
pub(crate) async fn run_on<'gate>(
    gate: &'gate Gate,
    call: &mut ReadyCall,
    left: Left<'gate>,
) -> ToolResult {
    let mut left = left;
    if let Left::Gate(pass) = left {
        let mut place = match unless_cancelled(call.context(), gate.enter(pass)).await {
            Ok(place) => Some(place),
            Err(cancelled) => return call.refuse(cancelled),
        };
        left = match poll_fn(|cx| Poll::Ready(attempt_within(call, place.take(), cx))).await {
            Ok(result) => return result,
            Err(left) => left,
        };
    }
    let _place = left;
    drive_on(call.take()).await
}

/// Hands a call that is not ready at once to the executor.
async fn drive_on(call: ReadyCall) -> ToolResult {
    let context = call.context().clone();
    let answer = call.answer_of_task();
    let limit = context.timeout();
    let session = context.session_handle();
    match session.executor().execute(call, limit).await {
        Executed::Done(result) => result,
        Executed::Running => {
            // Nothing is awaited before: a step that is dropped here leaves a task that is known.
            let (followed, stored) = session.enter(&context);
            followed.follow();
            stored.done().await;
            answer(limit, context.task_id())
        }
    }
}

/// The future's output, or an error as soon as the call is cancelled.
pub(crate) async fn unless_cancelled<T>(
    call: &CallContext,
    future: impl Future<Output = T>,
) -> Result<T, ToolError> {
    let mut future = pin!(future);
    let mut cancelled = pin!(call.cancelled());
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Ok(value)),
        Poll::Pending => cancelled.as_mut().poll(cx).map(|()| Err(cancelled_early())),
    })
    .await
}

pub(crate) fn cancelled_early() -> ToolError {
    ToolError::of_kind(
        ErrorKind::Cancelled,
        "the call was cancelled before it began; nothing was run",
    )
}

/// Runs a step; one result a stage, in order.
pub(crate) async fn run_step(step: Vec<Stage>, cap: usize) -> Vec<ToolResult> {
    let mut results = Vec::with_capacity(step.len());
    let mut rest = step.into_iter();
    while let Some((length, ready)) = next_batch(rest.as_slice()) {
        let batch = rest.by_ref().take(length);
        if ready > 1 {
            run_together(batch, cap, &mut results).await;
        } else {
            run_lone(batch, &mut results).await;
        }
    }
    results
}

/// How many stages come next together, and how many of them are still to run.
fn next_batch(rest: &[Stage]) -> Option<(usize, usize)> {
    rest.first()?;
    let together = rest.iter().take_while(|stage| stage.is_parallel()).count();
    let length = together.max(1);
    let ready = |stage: &&Stage| matches!(stage, Stage::Ready(_));
    Some((length, rest[..length].iter().filter(ready).count()))
}

/// Runs the one call of a batch, if there is one, in place.
async fn run_lone(stages: impl Iterator<Item = Stage>, results: &mut Vec<ToolResult>) {
    for stage in stages {
        results.push(match stage {
            Stage::Answered(result) => *result,
            Stage::Ready(mut call) => {
                let session = call.context().session_handle().clone();
                session.finish(&mut call, identity).await
            }
        });
    }
}
