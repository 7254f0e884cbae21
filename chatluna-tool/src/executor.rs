//! What outlives a step: who drives the calls that are not ready at once.

use crate::BoxFuture;
use crate::background::TaskId;
use crate::call::ToolResult;
use crate::context::CallContext;
use crate::ready_call::ReadyCall;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// How long a call may go on in the background: one hour.
pub const DEFAULT_BACKGROUND_LIMIT: Duration = Duration::from_secs(60 * 60);

/// How far an [`Executor`] has come with a call.
#[derive(Debug)]
pub enum Executed {
    /// To its result.
    Done(ToolResult),
    /// Its time to wait is over and it goes on, under the id of [`ReadyCall::task_id`].
    Running,
}

/// Drives the calls that their first poll leaves pending, and keeps those that outlive their step.
///
/// An executor is of one runtime: the ids of tasks are unique in a runtime only.
///
/// [`LocalExecutor`] is the one that programs have unless they bring another with
/// [`RuntimeBuilder::executor`](crate::RuntimeBuilder::executor).
pub trait Executor: Send + Sync + 'static {
    /// Drives a call for up to `wait_up_to`, with [`ReadyCall::drive`].
    ///
    /// What that leaves undone is driven on by the executor, the same future, never begun anew.
    /// Dropping the future that this returns drops the call, unless it is driven on already. So
    /// nothing may be awaited between that and [`Executed::Running`]: the runtime knows of a task
    /// from then on, and a step that is dropped in between would leave one that nobody knows of.
    fn execute(&self, call: ReadyCall, wait_up_to: Duration) -> BoxFuture<'_, Executed>;

    /// Waits for the end of a task; `None` for one that is unknown or forgotten, also one that is
    /// forgotten meanwhile. The runtime waits for every task, and forgets it when it has the result.
    fn wait<'a>(&'a self, task: &'a TaskId) -> BoxFuture<'a, Option<ToolResult>>;

    /// Tells a task to end, as [`Session::cancel`](crate::Session::cancel) tells a call. Whether
    /// there is one that has not ended. The runtime has told the [`ReadyCall`] before.
    fn cancel(&self, task: &TaskId) -> bool;

    /// Drops what is known of a task, and the task itself if it has not ended.
    fn forget(&self, task: &TaskId);
}

/// Drives calls in this process: in the step that waits for them, then as a task of tokio.
///
/// It is dropped with the runtime of tokio: a task is not run on in another process. Each runtime has
/// one of its own, so it is no `Clone`.
#[derive(Debug)]
pub struct LocalExecutor {
    limit: Duration,
    tasks: Mutex<BTreeMap<TaskId, Task>>,
}

#[derive(Debug)]
struct Task {
    /// Holds the runtime, and so the executor, until the runtime forgets the task.
    call: CallContext,
    result: watch::Receiver<Option<ToolResult>>,
    abort: AbortHandle,
}

impl LocalExecutor {
    /// An executor whose tasks end after so long in the background, the time that they wait for a
    /// person not counted.
    pub fn new(limit: Duration) -> Self {
        Self {
            limit,
            tasks: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TaskId, Task>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drives the call on, on its own.
    fn adopt(&self, mut call: ReadyCall) {
        let (id, context) = (call.task_id(), call.context().clone());
        let (sender, result) = watch::channel(None);
        let limit = self.limit;
        // Said before it goes on: another thread may have it to its end at once.
        context.detach();
        // Not in the lock: a runtime of tokio that is ending drops the call at once.
        let driven = tokio::spawn(async move {
            let result = match call.drive(limit).await {
                Some(result) => result,
                None => call.expire(limit),
            };
            sender.send_replace(Some(result));
        });
        let task = Task {
            call: context,
            result,
            abort: driven.abort_handle(),
        };
        self.lock().insert(id, task);
    }
}

impl Default for LocalExecutor {
    fn default() -> Self {
        Self::new(DEFAULT_BACKGROUND_LIMIT)
    }
}

impl Executor for LocalExecutor {
    fn execute(&self, mut call: ReadyCall, wait_up_to: Duration) -> BoxFuture<'_, Executed> {
        Box::pin(async move {
            match call.drive(wait_up_to).await {
                Some(result) => Executed::Done(result),
                None => {
                    self.adopt(call);
                    Executed::Running
                }
            }
        })
    }

    fn wait<'a>(&'a self, task: &'a TaskId) -> BoxFuture<'a, Option<ToolResult>> {
        let known = self.lock().get(task).map(|task| task.result.clone());
        Box::pin(async move {
            let mut result = known?;
            let ended = result.wait_for(Option::is_some).await.ok()?;
            ended.clone()
        })
    }

    fn cancel(&self, task: &TaskId) -> bool {
        let runs = |task: &&Task| task.result.borrow().is_none();
        let call = self
            .lock()
            .get(task)
            .filter(runs)
            .map(|task| task.call.clone());
        if let Some(call) = &call {
            call.signal().fire();
        }
        call.is_some()
    }

    fn forget(&self, task: &TaskId) {
        let forgotten = self.lock().remove(task);
        if let Some(task) = forgotten {
            task.abort.abort();
        }
    }
}
