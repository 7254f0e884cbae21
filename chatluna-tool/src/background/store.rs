//! Tasks in a file that survives a crash at any moment.

use super::disk::{Change, Disk, DiskError, Left, Loaded, Stored};
use super::writer::{Waiting, Writer};
use crate::BoxFuture;
use crate::backlog::Backlog;
use crate::guard::guard;
use redb::{
    Builder, ConcurrencyMode, Database, DatabaseError, Key, ReadableTable, StorageError,
    TableDefinition, WriteTransaction,
};
#[cfg(feature = "cli")]
use redb::{ReadTransaction, TableError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;

/// By session and id: JSON of [`Stored`].
pub(super) const TASKS: TableDefinition<'_, (&str, &str), &[u8]> = TableDefinition::new("tasks");
/// By session: JSON of [`Loaded`].
pub(super) const LOADED: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("loaded");
/// Numbers by name.
const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");
/// The number of the next task.
const NEXT: &str = "next";
/// When the last process that had the file let go of it, in milliseconds since 1970. It is not there
/// while one has it, or after one was killed.
const CLOSED: &str = "closed";
/// What the records look like.
const FORMAT: (&str, u64) = ("format", 1);
pub(super) const FILE: &str = "tasks.redb";
/// How much of the file is kept in memory: little, for the tasks are there.
const CACHE_BYTES: usize = 1024 * 1024;
/// How long to wait for another runtime to let go of the file: one that is gone may still write.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long to wait before another look.
const PAUSE: Duration = Duration::from_millis(10);

/// A folder that holds tasks.
pub(crate) struct Store(Arc<Backlog<Writer>>);

/// A store, and what came of opening it.
pub(crate) struct Opened {
    pub(crate) store: Store,
    pub(crate) left: Left,
    /// What could not be read, and where it is now.
    pub(crate) damage: Vec<String>,
}

impl Store {
    /// Opens the store of a folder, which is made if it is missing. Tasks that had not ended are
    /// interrupted: no other process has the folder. Those that ended before `since` are forgotten.
    ///
    /// # Errors
    /// In words for the developer.
    pub(super) fn open(folder: &Path, since: Option<SystemTime>) -> Result<Opened, String> {
        fs::create_dir_all(folder).map_err(said)?;
        let path = folder.join(FILE);
        let mut damage = Vec::new();
        let database = match database(&path) {
            Ok(database) => database,
            Err(Unopened::Damaged(why)) => {
                let place = set_aside(&path).map_err(said)?;
                let (shown, place) = (path.display(), place.display());
                damage.push(format!("`{shown}` is damaged ({why}); it is now `{place}`"));
                database(&path).map_err(Unopened::words)?
            }
            Err(unopened) => return Err(unopened.words()),
        };
        let left = recovered(&database, since, &mut damage)?;
        let store = Self(Arc::new(Backlog::new(Writer(database))));
        Ok(Opened {
            store,
            left,
            damage,
        })
    }
}

#[cfg(test)]
impl Store {
    pub(super) fn backlog(&self) -> &Arc<Backlog<Writer>> {
        &self.0
    }
}

impl Disk for Store {
    fn write(&self, changes: Vec<Change>, next: u64) -> BoxFuture<'static, Result<(), DiskError>> {
        let (done, written) = oneshot::channel();
        self.0.push(Waiting {
            changes,
            next,
            done,
        });
        Box::pin(async {
            let lost = |_| Err(Arc::new(io::Error::other("the program is ending")) as DiskError);
            written.await.unwrap_or_else(lost)
        })
    }
}

/// Makes changes, and keeps the number of the next task, which never falls.
pub(super) fn enter<'a>(
    transaction: &WriteTransaction,
    changes: impl IntoIterator<Item = &'a Vec<Change>>,
    next: u64,
) -> Result<u64, redb::Error> {
    let mut tasks = transaction.open_table(TASKS)?;
    let mut lists = transaction.open_table(LOADED)?;
    for change in changes.into_iter().flatten() {
        match change {
            Change::Put(stored) => {
                let key = (&*stored.session, stored.task.id.as_str());
                tasks.insert(key, &*json(stored))?;
            }
            Change::Remove { session, id } => {
                tasks.remove((&**session, id.as_str()))?;
            }
            Change::Load(loaded) => {
                lists.insert(&*loaded.session, &*json(loaded))?;
            }
            Change::Unload { session } => {
                lists.remove(&**session)?;
            }
        }
    }
    let mut numbers = transaction.open_table(NUMBERS)?;
    let known = numbers.get(NEXT)?.map_or(1, |known| known.value());
    let next = next.max(known);
    numbers.insert(NEXT, next)?;
    Ok(next)
}

/// Says that nobody has the file any more.
pub(super) fn close(database: &Database) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default().as_millis();
    let now = u64::try_from(now).unwrap_or(u64::MAX);
    transaction.open_table(NUMBERS)?.insert(CLOSED, now)?;
    transaction.commit()?;
    Ok(())
}

/// When that was said, unless a process has the file or was killed.
#[cfg(feature = "cli")]
pub(super) fn closed(transaction: &ReadTransaction) -> Result<Option<SystemTime>, String> {
    let numbers = match transaction.open_table(NUMBERS) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(None),
        numbers => numbers.map_err(said)?,
    };
    let closed = numbers.get(CLOSED).map_err(said)?;
    let closed = closed.map(|closed| Duration::from_millis(closed.value()));
    Ok(closed.and_then(|closed| UNIX_EPOCH.checked_add(closed)))
}

/// Text and numbers, which can always be written.
fn json(record: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(record).unwrap_or_default()
}

/// Why there is no database.
pub(super) enum Unopened {
    /// What it says is no use.
    Damaged(String),
    /// It is as it should be, and cannot be had.
    Refused(String),
}

impl Unopened {
    pub(super) fn words(self) -> String {
        match self {
            Self::Damaged(words) | Self::Refused(words) => words,
        }
    }
}

pub(super) fn builder() -> Builder {
    let mut builder = Database::builder();
    builder
        .set_cache_size(CACHE_BYTES)
        .set_concurrency_mode(ConcurrencyMode::SingleWriter)
        .set_check_integrity_on_open(true);
    builder
}

fn database(path: &Path) -> Result<Database, Unopened> {
    let end = Instant::now() + PATIENCE;
    loop {
        // A file that another program has written over may be anything.
        match guard(|| builder().create(path)) {
            Ok(Err(DatabaseError::DatabaseAlreadyOpen)) if Instant::now() < end => {
                thread::sleep(PAUSE);
            }
            Ok(opened) => return opened.map_err(unopened),
            Err(panicked) => return Err(Unopened::Damaged(panicked.to_string())),
        }
    }
}

pub(super) fn unopened(error: DatabaseError) -> Unopened {
    match error {
        DatabaseError::DatabaseAlreadyOpen => Unopened::Refused(
            "another runtime has it open; give each a folder of its own".to_owned(),
        ),
        DatabaseError::Storage(StorageError::Corrupted(why)) => Unopened::Damaged(why),
        DatabaseError::Storage(StorageError::Io(error))
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
            ) =>
        {
            Unopened::Damaged(error.to_string())
        }
        other => Unopened::Refused(other.to_string()),
    }
}

/// Moves a file to the first free `<name>.corrupt-<n>`.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let place = |number: u32| path.with_file_name(format!("{FILE}.corrupt-{number}"));
    let place = (1..).map(place).find(|place| !place.exists());
    let place = place.unwrap_or_else(|| path.with_extension("corrupt"));
    fs::rename(path, &place)?;
    Ok(place)
}

/// What an earlier process has left. What had not ended is interrupted.
fn recovered(
    database: &Database,
    since: Option<SystemTime>,
    damage: &mut Vec<String>,
) -> Result<Left, String> {
    let transaction = database.begin_write().map_err(said)?;
    check_format(&transaction)?;
    let known = tasks(&transaction.open_table(TASKS).map_err(said)?, damage)?;
    let lists = lists(&transaction.open_table(LOADED).map_err(said)?, damage)?;
    let is_old = |stored: &Stored| stored.task.ended.is_some_and(|ended| Some(ended) <= since);
    let (old, mut tasks): (Vec<_>, Vec<_>) = known.into_iter().partition(is_old);
    let running = tasks
        .iter_mut()
        .filter(|stored| !stored.task.status.has_ended());
    let interrupted = running.map(interrupt);
    let is_old = |loaded: &Loaded| Some(loaded.used) <= since;
    let (unused, loaded): (Vec<_>, Vec<_>) = lists.into_iter().partition(is_old);
    let forgotten = old
        .into_iter()
        .map(remove)
        .chain(unused.into_iter().map(unload));
    let changes = interrupted.chain(forgotten).collect();
    let next = enter(&transaction, [&changes], 1).map_err(said)?;
    let numbers = transaction.open_table(NUMBERS);
    let was_closed = numbers.map_err(said)?.remove(CLOSED).map(drop);
    was_closed.map_err(said)?;
    transaction.commit().map_err(said)?;
    Ok(Left {
        tasks,
        loaded,
        next,
    })
}

fn remove(stored: Stored) -> Change {
    Change::Remove {
        session: stored.session,
        id: stored.task.id,
    }
}

fn unload(loaded: Loaded) -> Change {
    let Loaded { session, .. } = loaded;
    Change::Unload { session }
}

fn interrupt(stored: &mut Stored) -> Change {
    stored.interrupt(SystemTime::now());
    Change::Put(Box::new(stored.clone()))
}

fn check_format(transaction: &WriteTransaction) -> Result<(), String> {
    let (name, own) = FORMAT;
    let mut numbers = transaction.open_table(NUMBERS).map_err(said)?;
    let known = numbers.get(name).map_err(said)?.map(|known| known.value());
    match known {
        Some(known) if known > own => Err(format!(
            "a newer version of chatluna-tool has written it (format {known}, this one knows {own})"
        )),
        _ => numbers.insert(name, own).map(drop).map_err(said),
    }
}

/// All records of tasks that can be read.
pub(super) fn tasks(
    table: &impl ReadableTable<(&'static str, &'static str), &'static [u8]>,
    damage: &mut Vec<String>,
) -> Result<Vec<Stored>, String> {
    let name = |(session, task): (&str, &str)| format!("record of {task} of session `{session}`");
    records(table, name, damage)
}

/// All lists of loaded tools that can be read.
fn lists(
    table: &impl ReadableTable<&'static str, &'static [u8]>,
    damage: &mut Vec<String>,
) -> Result<Vec<Loaded>, String> {
    let name = |session: &str| format!("list of loaded tools of session `{session}`");
    records(table, name, damage)
}

/// All records. One that cannot be read stays where it is.
fn records<K: Key + 'static, T: DeserializeOwned>(
    table: &impl ReadableTable<K, &'static [u8]>,
    name: impl Fn(K::SelfType<'_>) -> String,
    damage: &mut Vec<String>,
) -> Result<Vec<T>, String> {
    let mut known = Vec::new();
    for record in table.iter().map_err(said)? {
        let (key, value) = record.map_err(said)?;
        match serde_json::from_slice(value.value()) {
            Ok(record) => known.push(record),
            Err(error) => {
                let name = name(key.value());
                damage.push(format!(
                    "the {name} cannot be read ({error}); it is left alone"
                ));
            }
        }
    }
    Ok(known)
}

fn said(error: impl Display) -> String {
    error.to_string()
}
