//! What outlives a step: who drives the calls that are not ready at once.

use crate::BoxFuture;
use crate::background::TaskId;
use crate::call::ToolResult;
use crate::context::CallContext;
use crate::ready_call::ReadyCall;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
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
/// [`LocalExecutor`] is the one that programs have unless they bring another with
/// [`RuntimeBuilder::executor`](crate::RuntimeBuilder::executor).
pub trait Executor: Send + Sync + 'static {
    /// Drives a call for up to `wait_up_to`, with [`ReadyCall::drive`].
    ///
    /// What that leaves undone is driven on by the executor, the same future, never begun anew.
    /// Dropping the future that this returns drops the call, unless it is driven on already.
    fn execute(&self, call: ReadyCall, wait_up_to: Duration) -> BoxFuture<'_, Executed>;

    /// Waits for the end of a task; `None` for one that is unknown or forgotten, also one that is
    /// forgotten meanwhile. The runtime waits for every task, and forgets it when it has the result.
    fn wait<'a>(&'a self, task: &'a TaskId) -> BoxFuture<'a, Option<ToolResult>>;

    /// Tells a task to end, as [`Session::cancel`](crate::Session::cancel) tells a call. Whether
    /// there is one that has not ended.
    fn cancel(&self, task: &TaskId) -> bool;

    /// Drops what is known of a task, and the task itself if it has not ended.
    fn forget(&self, task: &TaskId);
}

/// Drives calls in this process: in the step that waits for them, then as a task of tokio.
///
/// It is dropped with the runtime of tokio: a task is not run on in another process.
#[derive(Clone, Debug)]
pub struct LocalExecutor(Arc<Local>);

#[derive(Debug)]
struct Local {
    limit: Duration,
    tasks: Mutex<BTreeMap<TaskId, Task>>,
}

#[derive(Debug)]
struct Task {
    /// Gone at its end: it holds the runtime, and so the executor.
    call: Option<CallContext>,
    result: watch::Receiver<Option<ToolResult>>,
    abort: AbortHandle,
}

/// Ends the record of a task, however the task ends.
struct Record {
    local: Weak<Local>,
    task: TaskId,
}

impl Drop for Record {
    fn drop(&mut self) {
        let Some(local) = self.local.upgrade() else {
            return;
        };
        let call = local
            .lock()
            .get_mut(&self.task)
            .and_then(|task| task.call.take());
        drop(call);
    }
}

impl Local {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<TaskId, Task>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LocalExecutor {
    /// An executor whose tasks end after so long.
    pub fn new(limit: Duration) -> Self {
        Self(Arc::new(Local {
            limit,
            tasks: Mutex::default(),
        }))
    }

    /// Drives the call on, on its own.
    fn adopt(&self, mut call: ReadyCall) {
        let task = call.task_id();
        let (sender, result) = watch::channel(None);
        let context = Some(call.context().clone());
        let limit = self.0.limit;
        let record = Record {
            local: Arc::downgrade(&self.0),
            task: task.clone(),
        };
        // Its record is there before it can end.
        let mut tasks = self.0.lock();
        let driven = tokio::spawn(async move {
            let _record = record;
            let result = match call.drive(limit).await {
                Some(result) => result,
                None => call.expire(limit),
            };
            sender.send_replace(Some(result));
        });
        let known = Task {
            call: context,
            result,
            abort: driven.abort_handle(),
        };
        tasks.insert(task, known);
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
        let known = self.0.lock().get(task).map(|task| task.result.clone());
        Box::pin(async move {
            let mut result = known?;
            let ended = result.wait_for(Option::is_some).await.ok()?;
            ended.clone()
        })
    }

    fn cancel(&self, task: &TaskId) -> bool {
        let call = self.0.lock().get(task).and_then(|task| task.call.clone());
        if let Some(call) = &call {
            call.signal().fire();
        }
        call.is_some()
    }

    fn forget(&self, task: &TaskId) {
        let forgotten = self.0.lock().remove(task);
        if let Some(task) = forgotten {
            task.abort.abort();
        }
    }
}
