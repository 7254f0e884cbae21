//! What goes on without its step.

use super::Session;
use crate::background::{Background, Ledger, Notices, TaskId, Written};
use crate::call::ToolResult;
use crate::context::CallContext;

impl Session {
    /// The calls of the session that go on in the background, and other work of it.
    pub fn background(&self) -> Background {
        Background::new(self.clone())
    }

    /// What is told of tasks that have ended, those included that ended before.
    ///
    /// A program gives them to the model with its next step: no model has to ask whether a task has
    /// ended.
    ///
    /// ```
    /// # use chatluna_tool::{BuildError, Runtime, SessionInfo};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// # let session = Runtime::builder().build()?.session(SessionInfo::new("s"));
    /// let mut notices = session.notices();
    /// session.background().adopt("reindex", |_| async { "42 files" }).await;
    /// let notice = notices.next().await;
    /// // Here it goes to the model; when the model has answered:
    /// notices.acknowledge(&notice.id).await;
    /// assert!(session.notices().drain().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn notices(&self) -> Notices {
        Notices::new(self.clone())
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        self.0.runtime.ledger()
    }

    /// Makes a call a task, which is known from here on.
    pub(crate) fn enter(&self, call: &CallContext) -> (Followed, Written) {
        let task = call.task_id();
        call.detach();
        let written = self.ledger().begin(task.clone(), call);
        let session = self.clone();
        let followed = Followed { session, task };
        call.tell_of_task();
        (followed, written)
    }
}

/// A task whose end somebody waits for. When this is dropped before, the task is interrupted.
#[must_use = "the task is interrupted when this is dropped"]
pub(crate) struct Followed {
    session: Session,
    task: TaskId,
}

impl Followed {
    /// Enters the end of a task that its executor has when it comes.
    pub(crate) fn follow(self) {
        tokio::spawn(async move {
            let result = self.session.executor().wait(&self.task).await;
            self.end(result).await;
        });
    }

    pub(crate) async fn end(self, result: Option<ToolResult>) {
        let (ledger, owner) = (self.session.ledger(), &self.session.info().id);
        let outputs = self.session.outputs_written();
        ledger.finish(owner, &self.task, result, outputs).await;
        ledger.forget_old(owner).await;
    }
}

impl Drop for Followed {
    /// Nothing is left that runs, also where the runtime of tokio is gone that ran it.
    fn drop(&mut self) {
        let owner = &self.session.info().id;
        self.session.ledger().lose(owner, &self.task);
        self.session.executor().forget(&self.task);
    }
}
