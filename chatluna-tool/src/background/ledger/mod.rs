//! The tasks of all sessions of a runtime.

mod book;
mod end;
mod loaded;
mod retention;
#[cfg(test)]
mod tests;

pub use retention::DEFAULT_TASK_RETENTION;

#[cfg(feature = "store")]
use super::disk::Stored;
use super::disk::{Change, Disk, Written};
use super::notice::{Notice, Offer};
#[cfg(feature = "store")]
use super::store::{Opened, Store};
#[cfg(feature = "cli")]
use super::task::TaskStatus;
use super::task::{Task, TaskId};
#[cfg(feature = "store")]
use crate::build_error::Fault;
use crate::context::CallContext;
use book::{Books, Entry};
use loaded::Lists;
use std::fmt;
#[cfg(feature = "store")]
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;

pub(crate) struct Ledger {
    disk: Option<Box<dyn Disk>>,
    retention: Duration,
    /// When the tasks of all sessions were last looked through.
    swept: Mutex<SystemTime>,
    /// The number of the next task.
    next: AtomicU64,
    /// The number of the next notice.
    next_offer: AtomicU64,
    /// What could not be read at the start.
    damage: Vec<String>,
    books: Mutex<Books>,
    lists: Mutex<Lists>,
}

impl Ledger {
    pub(crate) fn new(retention: Duration) -> Self {
        Self {
            disk: None,
            retention,
            swept: Mutex::new(SystemTime::now()),
            next: AtomicU64::new(1),
            next_offer: AtomicU64::new(1),
            damage: Vec::new(),
            books: Mutex::default(),
            lists: Mutex::default(),
        }
    }

    /// With what an earlier process has left in a folder.
    #[cfg(feature = "store")]
    pub(crate) fn open(retention: Duration, folder: &Path, faults: &mut Vec<Fault>) -> Self {
        let since = SystemTime::now().checked_sub(retention);
        match Store::open(folder, since) {
            Ok(opened) => Self::of_store(retention, opened),
            Err(why) => {
                let path = folder.to_owned();
                faults.push(Fault::DataDir { path, why });
                Self::new(retention)
            }
        }
    }

    #[cfg(feature = "store")]
    fn of_store(retention: Duration, opened: Opened) -> Self {
        for damage in &opened.damage {
            tracing::error!("{damage}");
        }
        let own = Self {
            disk: Some(Box::new(opened.store)),
            next: AtomicU64::new(opened.left.next),
            damage: opened.damage,
            ..Self::new(retention)
        };
        let lists = opened.left.loaded.into_iter();
        let lists = lists.map(|own| (own.session.clone(), own));
        own.lists().by_session.extend(lists);
        let mut tasks = opened.left.tasks;
        tasks.sort_by_key(|stored| stored.task.ended);
        let mut books = own.lock();
        for Stored {
            session,
            task,
            offer,
        } in tasks
        {
            let entry = Entry::new(task, None, offer.renumbered(|| own.next_offer()));
            let book = books.entry(session).or_default();
            book.entries.insert(entry.task.id.clone(), entry);
        }
        drop(books);
        own
    }

    #[inline]
    pub(crate) fn has_disk(&self) -> bool {
        self.disk.is_some()
    }

    pub(crate) fn damage(&self) -> &[String] {
        &self.damage
    }

    /// An id that no task has or had.
    pub(crate) fn next_id(&self) -> TaskId {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        TaskId::new(format!("task_{number}"))
    }

    fn next_offer(&self) -> u64 {
        self.next_offer.fetch_add(1, Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a call that goes on. It is known at once; the future ends when it is on the disk.
    pub(crate) fn begin(&self, id: TaskId, call: &CallContext) -> Written {
        let session = &call.session().id;
        let task = Task::new(id.clone(), call);
        let entry = Entry::new(task, Some(call.clone()), Offer::None);
        let mut books = self.lock();
        let written = self.write(|| vec![Change::Put(entry.stored(session))]);
        let book = books.entry(session.clone()).or_default();
        book.entries.insert(id, entry);
        written
    }

    pub(crate) fn has_tasks(&self, session: &str) -> bool {
        let books = self.lock();
        books
            .get(session)
            .is_some_and(|book| !book.entries.is_empty())
    }

    pub(crate) fn get(&self, session: &str, id: &TaskId) -> Option<Task> {
        let books = self.lock();
        entry(&books, session, id).map(Entry::now)
    }

    /// In the order in which they began.
    pub(crate) fn list(&self, session: &str) -> Vec<Task> {
        let books = self.lock();
        let entries = books
            .get(session)
            .into_iter()
            .flat_map(|book| book.entries.values());
        sorted(entries.map(Entry::now).collect())
    }

    /// The tasks of all sessions.
    #[cfg(feature = "cli")]
    pub(crate) fn all(&self) -> Vec<Stored> {
        let books = self.lock();
        let entries = books
            .iter()
            .flat_map(|(session, book)| book.entries.values().map(move |entry| (session, entry)));
        let mut tasks: Vec<Stored> = entries
            .map(|(session, entry)| *entry.stored(session))
            .collect();
        Stored::sort(&mut tasks);
        tasks
    }

    /// Cancels a task that was interrupted: nobody is told of it. Whether there is one.
    #[cfg(feature = "cli")]
    pub(crate) async fn withdraw(&self, session: &str, id: &TaskId) -> bool {
        self.change(session, id, |entry| {
            let is_interrupted = entry.task.status == TaskStatus::Interrupted;
            if is_interrupted {
                entry.task.status = TaskStatus::Cancelled;
                entry.offer = Offer::None;
            }
            is_interrupted
        })
        .await
    }

    /// Waits for the end of a task; `None` for one that is unknown, or removed meanwhile.
    pub(crate) async fn wait(&self, session: &str, id: &TaskId) -> Option<Task> {
        loop {
            let end = self.end_of(session, id)?;
            let ended = end.notified();
            let task = self.get(session, id)?;
            if task.status.has_ended() {
                return Some(task);
            }
            ended.await;
        }
    }

    fn end_of(&self, session: &str, id: &TaskId) -> Option<Arc<Notify>> {
        let books = self.lock();
        entry(&books, session, id).map(|entry| Arc::clone(&entry.end))
    }

    /// What tells of new notices. There is a book from then on.
    pub(crate) fn news(&self, session: &str) -> Arc<Notify> {
        let mut books = self.lock();
        let book = books.entry(session.to_owned()).or_default();
        Arc::clone(&book.news)
    }

    /// The first notices that are not acknowledged, in the order in which their tasks ended, from
    /// behind the one of a number on.
    pub(crate) fn offered(&self, session: &str, behind: u64, most: usize) -> Vec<(u64, Notice)> {
        let books = self.lock();
        let book = books.get(session);
        let entries = book.into_iter().flat_map(|book| book.entries.values());
        let open = entries.filter_map(|entry| Some((entry.offer.number()?, &entry.task)));
        let mut open: Vec<_> = open.filter(|(number, _)| *number > behind).collect();
        open.sort_by_key(|(number, _)| *number);
        let first = open.into_iter().take(most);
        first
            .map(|(number, task)| (number, Notice::of(task)))
            .collect()
    }

    /// Withdraws the notice of a task for good; whether it was open.
    pub(crate) async fn acknowledge(&self, session: &str, id: &TaskId) -> bool {
        self.change(session, id, |entry| {
            let was_open = entry.offer.is_open();
            if was_open {
                entry.offer = Offer::Acknowledged;
            }
            was_open
        })
        .await
    }

    /// Changes what is known of a task, and says whether `change` did.
    async fn change(
        &self,
        session: &str,
        id: &TaskId,
        change: impl FnOnce(&mut Entry) -> bool,
    ) -> bool {
        let changed = || {
            let mut books = self.lock();
            let entry = books.get_mut(session)?.entries.get_mut(id)?;
            change(entry).then(|| self.write(|| vec![Change::Put(entry.stored(session))]))
        };
        match changed() {
            Some(written) => {
                written.done().await;
                true
            }
            None => false,
        }
    }

    /// To be called in the lock, so that the changes of a task stay in their order.
    fn write(&self, changes: impl FnOnce() -> Vec<Change>) -> Written {
        let next = self.next.load(Ordering::Relaxed);
        let disk = self.disk.as_ref();
        Written::new(disk.map(|disk| disk.write(changes(), next)))
    }
}

fn entry<'books>(books: &'books Books, session: &str, id: &TaskId) -> Option<&'books Entry> {
    books.get(session)?.entries.get(id)
}

fn sorted(mut tasks: Vec<Task>) -> Vec<Task> {
    tasks.sort_by(|left, right| left.rank().cmp(&right.rank()));
    tasks
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger").finish_non_exhaustive()
    }
}
