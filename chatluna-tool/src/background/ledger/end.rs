//! How a task ends.

use super::book::{Books, Entry};
use super::{Ledger, entry};
use crate::background::disk::{Change, Written};
use crate::background::notice::Offer;
use crate::background::task::{TaskId, TaskStatus};
use crate::call::ToolResult;
use crate::context::CallContext;
use std::mem;
use std::sync::Arc;
use tokio::sync::Notify;

impl Ledger {
    /// Enters the end of a task that has not ended, once the outputs are in files that its result
    /// names. Dropping the future enters it too.
    pub(crate) async fn finish(
        &self,
        session: &str,
        id: &TaskId,
        result: Option<ToolResult>,
        outputs: impl Future<Output = ()>,
    ) {
        let Some(mut end) = self.end(session, id, result) else {
            return;
        };
        outputs.await;
        loop {
            // Nobody hears of an end that a crash would undo.
            end.write().done().await;
            if end.publish() {
                break;
            }
        }
    }

    /// Gives up a task that has not ended, and that nothing runs any more.
    pub(crate) fn lose(&self, session: &str, id: &TaskId) {
        drop(self.end(session, id, None));
    }

    /// Tells a task to end; whether there is one that has not ended.
    pub(crate) fn cancel(&self, session: &str, id: &TaskId) -> bool {
        let books = self.lock();
        let call = entry(&books, session, id).and_then(|entry| entry.call.clone());
        let Some(call) = call else {
            return false;
        };
        // In the lock: an end that is published from here on counts it.
        call.signal().mark();
        drop(books);
        call.signal().fire();
        true
    }

    /// What becomes of a task that has not ended.
    fn end<'a>(
        &'a self,
        session: &'a str,
        id: &TaskId,
        result: Option<ToolResult>,
    ) -> Option<End<'a>> {
        let books = self.lock();
        let entry = entry(&books, session, id)?;
        let (task, call) = (entry.task.clone(), entry.call.clone()?);
        drop(books);
        let task = task.ended(&call, result);
        let offer = offer_of(task.status);
        Some(End {
            ledger: self,
            session,
            call,
            ended: Some(Entry::new(task, None, offer)),
        })
    }
}

/// Nobody is told of a task that was told to end.
fn offer_of(status: TaskStatus) -> Offer {
    match status {
        TaskStatus::Cancelled => Offer::None,
        _ => Offer::Open(0),
    }
}

/// An end that is known, and that nobody has heard of. It is written and published when this is dropped.
struct End<'ledger> {
    ledger: &'ledger Ledger,
    session: &'ledger str,
    call: CallContext,
    ended: Option<Entry>,
}

impl End<'_> {
    fn write(&self) -> Written {
        let changes = || {
            let ended = self.ended.iter();
            ended
                .map(|ended| Change::Put(ended.stored(self.session)))
                .collect()
        };
        self.ledger.write(changes)
    }

    /// Tells of the end, unless the task was told to end while that was written: then it is another
    /// end, which has to be written first.
    fn publish(&mut self) -> bool {
        let mut books = self.ledger.lock();
        let is_another = self.revise();
        let replaced = if is_another {
            None
        } else {
            self.enter(&mut books)
        };
        drop(books);
        announce(replaced);
        !is_another
    }

    /// Looks again at whether the task was told to end; whether that changes anything.
    fn revise(&mut self) -> bool {
        let Some(Entry { task, offer, .. }) = &mut self.ended else {
            return false;
        };
        let status = TaskStatus::of_result(task.result.as_ref(), self.call.is_cancelled());
        let is_another = status != task.status;
        task.status = status;
        *offer = offer_of(status);
        is_another
    }

    /// Puts the end in the place of the task that ran.
    fn enter(&mut self, books: &mut Books) -> Option<Replaced> {
        let mut ended = self.ended.take()?;
        // Numbered in the lock: whoever has seen a number has seen all below it.
        ended.offer = ended.offer.renumbered(|| self.ledger.next_offer());
        let book = books.get_mut(self.session)?;
        let entry = book.entries.get_mut(&ended.task.id)?;
        let running = mem::replace(entry, ended);
        Some((running, Arc::clone(&book.news)))
    }
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        if self.ended.is_some() {
            self.revise();
            drop(self.write());
        }
        let mut books = self.ledger.lock();
        self.revise();
        let replaced = self.enter(&mut books);
        drop(books);
        announce(replaced);
    }
}

/// What ran, and what tells its session of notices.
type Replaced = (Entry, Arc<Notify>);

/// Wakes who waits. Outside the lock: with what ran the last handle of a session may go.
fn announce(replaced: Option<Replaced>) {
    if let Some((running, news)) = replaced {
        let end = Arc::clone(&running.end);
        drop(running);
        end.notify_waiters();
        news.notify_waiters();
    }
}
