//! How a model looks at its tasks and ends them.

use super::Builtin;
use crate::background::{Background, Task, TaskId};
use crate::context::CallContext;
use crate::deadline::{NoTimer, elapsed};
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::fn_tool::FnTool;
use crate::output::{Content, ToolOutput};
use crate::ready_call::no_tokio;
use crate::scheduler::unless_cancelled;
use crate::session::View;
use crate::tool::{Effect, Traits};
use futures_util::future::{Either, select};
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt::Write;
use std::pin::pin;
use std::time::Duration;

/// The longest that a model may wait for a task: ten minutes.
const MAX_WAIT: Duration = Duration::from_secs(600);

/// The most lines of a log that are shown.
const LOG_LINES: usize = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TaskOutput {
    /// The id of the task, such as task_1
    task: String,
    /// How many seconds to wait for its end, up to 600; 0 to see how far it is
    #[serde(default)]
    #[schemars(range(min = 0, max = 600))]
    wait: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TaskCancel {
    /// The id of the task, such as task_1
    task: String,
}

pub(super) fn tools() -> [Builtin; 3] {
    // Only what the session has begun itself is ended: nothing that a person has to be asked about.
    let traits = Traits::new()
        .parallel()
        .effect(Effect::Read)
        .background(false);
    let defined = |name, description| ToolDefinition::new(name, description).traits(traits);
    let cancel = defined(
        "task_cancel",
        "Ends a background task that is not wanted any more. What it has done by then stays done.",
    );
    let list = defined(
        "task_list",
        "Lists the background tasks of this conversation: calls that took longer than was waited \
         for and go on. You are told when one ends; do not poll.",
    );
    let output = defined(
        "task_output",
        "Reads a background task: its result once it has ended, before that its progress and the \
         end of its log. Only wait where there is nothing else to do.",
    )
    // What it shows was cut already.
    .traits(
        traits
            .timeout(Traits::NO_TIMEOUT)
            .output_cap(Traits::NO_OUTPUT_CAP),
    );
    let has_tasks = |view: &View<'_>| {
        let session = view.session();
        session.ledger().has_tasks(&session.info().id)
    };
    [
        Builtin::new(FnTool::new(cancel, task_cancel), has_tasks),
        Builtin::new(FnTool::new(list, task_list), has_tasks),
        Builtin::new(FnTool::new(output, task_output), has_tasks),
    ]
}

fn background(call: &CallContext) -> Background {
    call.session_handle().background()
}

fn unknown(background: &Background, id: &TaskId) -> ToolError {
    let tasks = background.list();
    let known: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
    match &*known {
        [] => ToolError::retry(format_args!("no task is named `{id}`; there are none")),
        known => ToolError::retry(format_args!(
            "no task is named `{id}`; there are: {}",
            known.join(", ")
        )),
    }
}

async fn task_list(_: Nothing, call: CallContext) -> String {
    let tasks = background(&call).list();
    let lines: Vec<String> = tasks.iter().map(line).collect();
    match &*lines {
        [] => "there are no tasks".to_owned(),
        lines => lines.join("\n"),
    }
}

async fn task_cancel(
    TaskCancel { task }: TaskCancel,
    call: CallContext,
) -> Result<String, ToolError> {
    let (id, background) = (TaskId::new(task), background(&call));
    let known = background.get(&id);
    let known = known.ok_or_else(|| unknown(&background, &id))?;
    if !background.cancel(&id) {
        let ended = background.get(&id).unwrap_or(known);
        return Ok(format!("it has ended already: {}", line(&ended)));
    }
    let ended = background.wait(&id).await;
    Ok(ended.as_ref().map_or_else(|| line(&known), line))
}

async fn task_output(
    TaskOutput { task, wait }: TaskOutput,
    call: CallContext,
) -> Result<ToolOutput, ToolError> {
    let (id, background) = (TaskId::new(task), background(&call));
    if wait > 0 {
        let limit = Duration::from_secs(wait).min(MAX_WAIT);
        let waited = unless_cancelled(&call, wait_for(&background, &id, limit)).await;
        waited.unwrap_or_else(|_| Err(cancelled()))?;
    }
    let known = background.read(&id).await;
    let known = known.ok_or_else(|| unknown(&background, &id))?;
    let mut parts = vec![Content::from(described(&known))];
    if let Some(result) = &known.result {
        parts.extend(result.content().iter().cloned());
    }
    Ok(parts.into())
}

/// Waits for the end of a task, but not for longer.
async fn wait_for(background: &Background, id: &TaskId, limit: Duration) -> Result<(), ToolError> {
    match select(pin!(background.wait(id)), pin!(elapsed(limit))).await {
        Either::Left(_) | Either::Right((Ok(()), _)) => Ok(()),
        Either::Right((Err(NoTimer), _)) => Err(no_tokio()),
    }
}

fn cancelled() -> ToolError {
    ToolError::new("the waiting was cancelled; the task goes on")
}

/// A task in a line.
fn line(task: &Task) -> String {
    let Task {
        id, name, status, ..
    } = task;
    let seconds = task.lasted().as_secs();
    let mut line = format!("{id} {name}: {status}, {seconds}s");
    if let Some(progress) = task.progress.as_ref().filter(|_| !status.has_ended()) {
        if let Some(fraction) = progress.fraction {
            let _ = write!(line, ", {:.0}%", 100.0 * fraction);
        }
        let _ = write!(line, ", {}", progress.message);
    }
    line
}

/// A task, with the end of its log while there is no result.
fn described(task: &Task) -> String {
    let mut text = line(task);
    if task.result.is_none() && !task.log.is_empty() {
        let shown = task.log.len().saturating_sub(LOG_LINES);
        let _ = write!(text, "\nlog:\n{}", task.log[shown..].join("\n"));
    }
    text
}
