//! What goes on without its step.

use super::Session;
use crate::background::{Background, Ledger, Notices, TaskId};
use crate::call::ToolResult;

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

    /// Enters the end of a task when it comes.
    pub(crate) fn follow(&self, task: TaskId) {
        let followed = Followed {
            session: self.clone(),
            task,
        };
        tokio::spawn(async move {
            let Followed { session, task } = &followed;
            let result = session.executor().wait(task).await;
            session.finish_task(task, result).await;
        });
    }

    pub(crate) async fn finish_task(&self, task: &TaskId, result: Option<ToolResult>) {
        let owner = &self.info().id;
        self.outputs_written().await;
        self.ledger().finish(owner, task, result).await;
        self.ledger().forget_old(owner).await;
    }
}

/// A task whose end somebody waits for.
struct Followed {
    session: Session,
    task: TaskId,
}

impl Drop for Followed {
    /// Nothing is left that runs, also where the runtime of tokio is gone that ran it.
    fn drop(&mut self) {
        let owner = &self.session.info().id;
        self.session.ledger().lose(owner, &self.task);
        self.session.executor().forget(&self.task);
    }
}
