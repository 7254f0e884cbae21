//! What outlives a step: who drives the calls that are not ready at once.

use crate::BoxFuture;
use crate::call::ToolResult;
use crate::context::CallContext;
use crate::ready_call::ReadyCall;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// How long a call may go on in the background: one hour.
pub const DEFAULT_BACKGROUND_LIMIT: Duration = Duration::from_secs(60 * 60);

/// How many tasks are known before those that have ended are forgotten.
const MAX_TASKS: usize = 256;

/// The id of a call that goes on in the background.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(Arc<str>);

impl TaskId {
    /// An id that an [`Executor`] gives.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The id as the model reads it: `task_1`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How far an [`Executor`] has come with a call.
#[derive(Debug)]
pub enum Executed {
    /// To its result.
    Done(ToolResult),
    /// Its time to wait is over and it goes on.
    Running(TaskId),
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

    /// Waits for the end of a task; `None` for one that is unknown or forgotten.
    fn wait<'a>(&'a self, task: &'a TaskId) -> BoxFuture<'a, Option<ToolResult>>;

    /// Tells a task to end, as [`Session::cancel`](crate::Session::cancel) tells a call. Whether
    /// there is one that has not ended.
    fn cancel(&self, task: &TaskId) -> bool;

    /// Drops what is known of a task, and the task itself if it has not ended.
    fn forget(&self, task: &TaskId);
}

/// Drives calls in this process: in the step that waits for them, then as a task of tokio.
///
/// The results of the last tasks that ended are kept, some hundred of them.
#[derive(Clone, Debug)]
pub struct LocalExecutor(Arc<Local>);

#[derive(Debug)]
struct Local {
    limit: Duration,
    next: AtomicU64,
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
            next: AtomicU64::new(1),
            tasks: Mutex::default(),
        }))
    }

    /// Drives the call on, on its own.
    fn adopt(&self, mut call: ReadyCall) -> TaskId {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let task = TaskId::new(format!("task_{number}"));
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
        if tasks.len() >= MAX_TASKS {
            tasks.retain(|_, task| task.call.is_some());
        }
        let known = Task {
            call: context,
            result,
            abort: driven.abort_handle(),
        };
        tasks.insert(task.clone(), known);
        task
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
                None => Executed::Running(self.adopt(call)),
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
