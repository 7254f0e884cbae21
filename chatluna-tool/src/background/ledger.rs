//! The tasks of all sessions of a runtime.

use super::disk::{Change, Disk, Stored, Written};
use super::notice::{Notice, Offer};
#[cfg(feature = "store")]
use super::store::{Opened, Store};
use super::task::{Task, TaskId, TaskStatus};
#[cfg(feature = "store")]
use crate::build_error::Fault;
use crate::call::ToolResult;
use crate::context::CallContext;
use std::collections::HashMap;
use std::fmt;
use std::mem;
#[cfg(feature = "store")]
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;

/// How long a task is known after its end when the builder does not say: seven days.
pub const DEFAULT_TASK_RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How many ended tasks of a session are known, besides those that nobody has been told of.
const MAX_ENDED: usize = 256;

pub(crate) struct Ledger {
    disk: Option<Box<dyn Disk>>,
    retention: Duration,
    /// The number of the next task.
    next: AtomicU64,
    /// The number of the next notice.
    next_offer: AtomicU64,
    /// What could not be read at the start.
    damage: Vec<String>,
    books: Mutex<Books>,
}

/// By session.
type Books = HashMap<String, Book>;

/// The tasks of a session.
#[derive(Default)]
struct Book {
    entries: HashMap<TaskId, Entry>,
    /// Tells of notices that are new.
    news: Arc<Notify>,
}

struct Entry {
    /// As it began, or as it ended.
    task: Task,
    /// Gone at its end: it holds the runtime.
    call: Option<CallContext>,
    /// Tells of its end.
    end: Arc<Notify>,
    offer: Offer,
}

impl Book {
    /// The oldest of those that have ended and that nobody has to be told of.
    fn surplus(&self) -> Vec<TaskId> {
        let entries = self.entries.values();
        let settled = entries.filter(|entry| entry.task.ended.is_some() && !entry.offer.is_open());
        let mut ended: Vec<&Task> = settled.map(|entry| &entry.task).collect();
        ended.sort_by_key(|task| task.ended);
        let surplus = ended.len().saturating_sub(MAX_ENDED);
        ended[..surplus]
            .iter()
            .map(|task| task.id.clone())
            .collect()
    }
}

impl Entry {
    fn new(task: Task, call: Option<CallContext>, offer: Offer) -> Self {
        Self {
            task,
            call,
            end: Arc::default(),
            offer,
        }
    }

    fn now(&self) -> Task {
        match &self.call {
            Some(call) => self.task.clone().seen(call),
            None => self.task.clone(),
        }
    }

    fn stored(&self, session: &str) -> Box<Stored> {
        Box::new(Stored {
            session: session.to_owned(),
            task: self.task.clone(),
            offer: self.offer,
        })
    }
}

impl Ledger {
    pub(crate) fn new(retention: Duration) -> Self {
        Self {
            disk: None,
            retention,
            next: AtomicU64::new(1),
            next_offer: AtomicU64::new(1),
            damage: Vec::new(),
            books: Mutex::default(),
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

    #[cfg(feature = "cli")]
    pub(crate) fn has_disk(&self) -> bool {
        self.disk.is_some()
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
