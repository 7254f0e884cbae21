//! What outlives its step: the tasks of a session.

mod disk;
mod ledger;
#[cfg(feature = "cli")]
mod look;
mod notice;
#[cfg(feature = "store")]
mod store;
mod task;
mod work;
#[cfg(feature = "store")]
mod writer;

#[cfg(feature = "cli")]
pub(crate) use disk::Stored;
pub(crate) use disk::Written;
pub use ledger::DEFAULT_TASK_RETENTION;
pub(crate) use ledger::Ledger;
#[cfg(feature = "cli")]
pub(crate) use look::{Looked, look};
pub use notice::{Notice, Notices};
pub use task::{Progress, Task, TaskId, TaskStatus};

use crate::call::{ToolCall, ToolResult};
use crate::context::CallContext;
use crate::executor::Executed;
use crate::output::IntoToolOutput;
use crate::ready_call::ReadyCall;
use crate::scheduler::{Stage, attempt_within};
use crate::session::Session;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

/// The tasks of a session: [`Session::background`].
///
/// A call whose step has waited for it long enough goes on as a task, the same running future, never
/// begun anew. Nobody but its session knows of it; other handles of the session do. When it has
/// ended, the session is told once: [`Session::notices`]. A task that was told to end is not told
/// of.
///
/// Ended tasks are known for a week, or as
/// [`RuntimeBuilder::task_retention`](crate::RuntimeBuilder::task_retention) says; of those that
/// were told of, the last 256 of a session.
///
/// ```
/// use chatluna_tool::{Runtime, SessionInfo, TaskStatus, ToolCall, tool, tools};
/// use std::time::Duration;
///
/// /// Renders a film
/// #[tool(traits(effect = "read", timeout = "10ms"))]
/// async fn render() -> &'static str {
///     tokio::time::sleep(Duration::from_millis(50)).await;
///     "rendered"
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), chatluna_tool::BuildError> {
/// let runtime = Runtime::builder().tools(tools![render]).build()?;
/// let session = runtime.session(SessionInfo::new("chat-7"));
/// let result = session.call("render", "{}").await;
/// let task = result.task().cloned().unwrap_or("none".into());
/// assert_eq!(session.background().list()[0].status, TaskStatus::Working);
///
/// let notice = session.notices().next().await;
/// assert_eq!(notice.task.id, task);
/// assert_eq!(notice.text(), "background task task_1 (render) has completed:\nrendered");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Background {
    session: Session,
}

impl Background {
    pub(crate) fn new(session: Session) -> Self {
        Self { session }
    }

    fn ledger(&self) -> &Ledger {
        self.session.ledger()
    }

    fn owner(&self) -> &str {
        &self.session.info().id
    }

    /// Runs a call as a task from the beginning, whatever its tool's timeout. It is looked up, read
    /// and authorised like any other, and asked about first where that is needed; it takes no part in
    /// the order of the calls of steps, and heeds no key.
    ///
    /// The task ends after [`DEFAULT_BACKGROUND_LIMIT`](crate::DEFAULT_BACKGROUND_LIMIT), one hour,
    /// or as the runtime's [`LocalExecutor`](crate::LocalExecutor) says. Dropping the future before it
    /// is ready drops the call; what is a task by then is
    /// [`Interrupted`](TaskStatus::Interrupted).
    ///
    /// # Errors
    /// The result of a call that does not come so far, as one that is refused.
    pub async fn start(&self, call: ToolCall) -> Result<TaskId, Box<ToolResult>> {
        let stage = self.session.stage(&self.session.view().by_hand(), call);
        let mut call = match stage {
            Stage::Ready(call) => call,
            Stage::Answered(result) => return Err(result),
        };
        match self.session.settle(&mut call).await {
            Ok(()) => Ok(self.run(call).await),
            Err(refused) => Err(Box::new(call.refuse(refused))),
        }
    }

    /// Makes other work of the host program a task of the session, under a name. The closure gets a
    /// context of its own, to log, to tell of progress, to ask, and to hear that it is cancelled.
    ///
    /// No policy is asked: it is not a model that wants this. The time limit, and what dropping the
    /// future does, are those of [`start`](Self::start).
    ///
    /// ```
    /// # use chatluna_tool::{BuildError, Runtime, SessionInfo};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// # let session = Runtime::builder().build()?.session(SessionInfo::new("s"));
    /// let background = session.background();
    /// let task = background.adopt("reindex", |call| async move {
    ///     call.progress(0.5, "half way");
    ///     "42 files"
    /// });
    /// let task = background.wait(&task.await).await;
    /// let result = task.and_then(|task| task.result);
    /// assert_eq!(result.map(|result| result.text().into_owned()).as_deref(), Some("42 files"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn adopt<F, R>(&self, name: impl Into<String>, work: F) -> TaskId
    where
        F: FnOnce(CallContext) -> R + Send + 'static,
        R: Future<Output: IntoToolOutput> + Send + 'static,
    {
        self.run(work::ready(&self.session, name.into(), work))
            .await
    }

    async fn run(&self, call: ReadyCall) -> TaskId {
        let task = call.task_id();
        let (followed, stored) = self.session.enter(call.context());
        stored.done().await;
        match self.begin(call).await {
            Executed::Done(result) => followed.end(Some(result)).await,
            Executed::Running => followed.follow(),
        }
        task
    }

    /// Takes a call as far as it comes without waiting, then hands it to the executor.
    async fn begin(&self, mut call: ReadyCall) -> Executed {
        match poll_fn(|cx| Poll::Ready(attempt_within(&mut call, None, cx))).await {
            Ok(result) => Executed::Done(result),
            Err(_) => self.session.executor().execute(call, Duration::ZERO).await,
        }
    }

    /// A task as it is now; `None` for one that is unknown, or another session's.
    pub fn get(&self, task: &TaskId) -> Option<Task> {
        self.ledger().get(self.owner(), task)
    }

    /// All tasks as they are now, in the order in which they began.
    pub fn list(&self) -> Vec<Task> {
        self.ledger().list(self.owner())
    }

    /// Waits for the end of a task; `None` for one that is unknown. Dropping the future does nothing
    /// to the task.
    pub async fn wait(&self, task: &TaskId) -> Option<Task> {
        self.ledger().wait(self.owner(), task).await
    }

    /// Tells a task to end, as [`Session::cancel`] tells a call; [`wait`](Self::wait) for its end.
    /// Whether there is one that has not ended; nobody is told of that one, unless it fails.
    pub fn cancel(&self, task: &TaskId) -> bool {
        // The executor may not have it yet, or not any more.
        let is_told = self.ledger().cancel(self.owner(), task);
        if is_told {
            self.session.executor().cancel(task);
        }
        is_told
    }

    /// The result of a task that has ended, whose notice is acknowledged by that. One that was
    /// interrupted has none; its notice is acknowledged too.
    pub async fn consume(&self, task: &TaskId) -> Option<ToolResult> {
        self.read(task).await?.result
    }

    /// A task as it is now; if it has ended, its notice is acknowledged by that.
    pub(crate) async fn read(&self, task: &TaskId) -> Option<Task> {
        let known = self.get(task)?;
        if known.status.has_ended() {
            self.ledger().acknowledge(self.owner(), task).await;
        }
        Some(known)
    }

    /// Forgets the tasks of the session that ended so long ago, told of or not; how many.
    pub async fn prune(&self, older_than: Duration) -> usize {
        self.ledger().prune(self.owner(), older_than).await
    }
}
