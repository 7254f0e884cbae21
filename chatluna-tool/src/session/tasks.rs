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
        let session = self.clone();
        tokio::spawn(async move {
            let result = session.executor().wait(&task).await;
            session.finish_task(&task, result).await;
        });
    }

    pub(crate) async fn finish_task(&self, task: &TaskId, result: Option<ToolResult>) {
        self.ledger().finish(&self.info().id, task, result).await;
        self.executor().forget(task);
    }
}
