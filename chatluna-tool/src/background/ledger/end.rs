//! How a task ends.

use super::book::Entry;
use super::{Ledger, entry};
use crate::background::disk::Change;
use crate::background::notice::Offer;
use crate::background::task::{TaskId, TaskStatus};
use crate::call::ToolResult;
use std::mem;
use std::sync::Arc;

impl Ledger {
    /// Enters the end of a task that has not ended.
    pub(crate) async fn finish(&self, session: &str, id: &TaskId, result: Option<ToolResult>) {
        let Some(ended) = self.ended(session, id, result) else {
            return;
        };
        // Nobody hears of an end that a crash would undo.
        let written = self.write(|| vec![Change::Put(ended.stored(session))]);
        written.done().await;
        self.publish(session, ended);
    }

    /// Gives up a task that has not ended, and that nothing runs any more. The disk hears of it when
    /// it is opened again.
    pub(crate) fn lose(&self, session: &str, id: &TaskId) {
        if let Some(lost) = self.ended(session, id, None) {
            self.publish(session, lost);
        }
    }

    /// What becomes of a task that has not ended.
    fn ended(&self, session: &str, id: &TaskId, result: Option<ToolResult>) -> Option<Entry> {
        let books = self.lock();
        let entry = entry(&books, session, id)?;
        let (task, call) = (entry.task.clone(), entry.call.clone()?);
        drop(books);
        let task = task.ended(&call, result);
        let offer = match task.status {
            TaskStatus::Cancelled => Offer::None,
            _ => Offer::Open(0),
        };
        Some(Entry::new(task, None, offer))
    }

    fn publish(&self, session: &str, mut ended: Entry) {
        let mut books = self.lock();
        // Numbered in the lock: whoever has seen a number has seen all below it.
        ended.offer = ended.offer.renumbered(|| self.next_offer());
        let Some(book) = books.get_mut(session) else {
            return;
        };
        let Some(entry) = book.entries.get_mut(&ended.task.id) else {
            return;
        };
        let (end, news) = (Arc::clone(&entry.end), Arc::clone(&book.news));
        let running = mem::replace(entry, ended);
        drop(books);
        // Outside the lock: with it the last handle of a session may go.
        drop(running);
        end.notify_waiters();
        news.notify_waiters();
    }
}
