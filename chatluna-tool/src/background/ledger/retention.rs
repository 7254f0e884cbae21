//! How long tasks are known.

use super::Ledger;
use super::book::{Book, Books};
use crate::background::disk::{Change, Written};
use crate::background::task::TaskId;
use std::sync::PoisonError;
use std::time::{Duration, SystemTime};

/// How long a task is known after its end when the builder does not say: seven days.
pub const DEFAULT_TASK_RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How many ended tasks of a session are known, besides those that nobody has been told of.
pub(super) const MAX_ENDED: usize = 256;

/// How often the tasks of all sessions are looked through.
pub(super) const SWEEP: Duration = Duration::from_secs(60 * 60);

impl Ledger {
    /// Forgets the tasks of a session that ended so long ago; how many.
    pub(crate) async fn prune(&self, session: &str, older_than: Duration) -> usize {
        let since = SystemTime::now().checked_sub(older_than);
        let (count, written) = self.forget(Some(session), |book| book.old(since));
        written.done().await;
        count
    }

    /// Forgets those that have ended long ago, or before many others: of a session in which one has
    /// just ended, and once an hour of all.
    pub(crate) async fn forget_old(&self, session: &str) {
        self.forget_old_at(session, SystemTime::now()).await;
    }

    pub(super) async fn forget_old_at(&self, session: &str, now: SystemTime) {
        let since = now.checked_sub(self.retention);
        let which = (!self.is_sweep_due(now)).then_some(session);
        let (_, written) = self.forget(which, |book| {
            let mut ids = book.old(since);
            ids.extend(book.surplus());
            ids
        });
        written.done().await;
    }

    fn is_sweep_due(&self, now: SystemTime) -> bool {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back tells nothing.
        let is_due = now
            .duration_since(*swept)
            .map_or(true, |since| since >= SWEEP);
        if is_due {
            *swept = now;
        }
        is_due
    }

    /// Forgets tasks of a session, or of all, and sessions that are left without one; how many tasks.
    fn forget(
        &self,
        session: Option<&str>,
        which: impl Fn(&Book) -> Vec<TaskId>,
    ) -> (usize, Written) {
        let mut books = self.lock();
        let sessions = match session {
            Some(session) => vec![session.to_owned()],
            None => books.keys().cloned().collect(),
        };
        let mut forgotten = Vec::new();
        for session in sessions {
            let Some(book) = books.get_mut(&session) else {
                continue;
            };
            let old = which(book).into_iter();
            let old = old.filter(|id| book.entries.remove(id).is_some());
            forgotten.extend(old.map(|id| (session.clone(), id)));
            close(&mut books, &session);
        }
        let count = forgotten.len();
        if count == 0 {
            return (0, Written::new(None));
        }
        let change = |(session, id)| Change::Remove { session, id };
        (
            count,
            self.write(|| forgotten.into_iter().map(change).collect()),
        )
    }

    /// Forgets a session that has no tasks and that nobody listens to.
    pub(crate) fn close(&self, session: &str) {
        close(&mut self.lock(), session);
    }
}

fn close(books: &mut Books, session: &str) {
    if books.get(session).is_some_and(Book::is_needless) {
        books.remove(session);
    }
}
