//! How long tasks are known.

use super::Ledger;
use super::book::Book;
use crate::background::disk::{Change, Written};
use crate::background::task::{Task, TaskId};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How long a task is known after its end when the builder does not say: seven days.
pub const DEFAULT_TASK_RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How many ended tasks of a session are known, besides those that nobody has been told of.
pub(super) const MAX_ENDED: usize = 256;

impl Ledger {
    /// Forgets the tasks of a session that ended so long ago; how many.
    pub(crate) async fn prune(&self, session: &str, older_than: Duration) -> usize {
        let since = SystemTime::now().checked_sub(older_than);
        let is_old = |task: &Task| task.ended.is_some_and(|end| Some(end) <= since);
        let (count, written) = self.remove(session, |book| {
            let old = book.entries.values().filter(|entry| is_old(&entry.task));
            old.map(|entry| entry.task.id.clone()).collect()
        });
        written.done().await;
        count
    }

    /// Forgets those that have ended long ago, or before many others.
    pub(crate) async fn forget_old(&self, session: &str) {
        self.prune(session, self.retention).await;
        self.remove(session, Book::surplus).1.done().await;
    }

    fn remove(&self, session: &str, which: impl FnOnce(&Book) -> Vec<TaskId>) -> (usize, Written) {
        let mut books = self.lock();
        let book = books.get_mut(session);
        let ids = book.as_deref().map(which).unwrap_or_default();
        if let Some(book) = book {
            book.entries.retain(|id, _| !ids.contains(id));
        }
        let count = ids.len();
        if count == 0 {
            return (0, Written::new(None));
        }
        let change = |id| Change::Remove {
            session: session.to_owned(),
            id,
        };
        let changes = || ids.into_iter().map(change).collect();
        (count, self.write(changes))
    }

    /// Forgets a session that has no tasks and that nobody listens to.
    pub(crate) fn close(&self, session: &str) {
        let mut books = self.lock();
        let is_needless =
            |book: &Book| book.entries.is_empty() && Arc::strong_count(&book.news) == 1;
        if books.get(session).is_some_and(is_needless) {
            books.remove(session);
        }
    }
}
