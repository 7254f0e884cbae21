//! A folder of tasks, looked at from outside: nothing in it is changed.

use super::disk::Stored;
use super::store::{FILE, TASKS, builder, closed, tasks, unopened};
use crate::guard::guard;
use redb::backends::InMemoryBackend;
use redb::{Database, DatabaseError, ReadableDatabase, StorageBackend, TableError};
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// What a folder holds.
pub(crate) struct Looked {
    pub(crate) tasks: Vec<Stored>,
    /// What cannot be read of it.
    pub(crate) damage: Vec<String>,
}

/// The tasks of a folder as they are now, also while another process has it. Where none has, what
/// had not ended is interrupted.
///
/// # Errors
/// In words for the person.
pub(crate) fn look(folder: &Path) -> Result<Looked, String> {
    let path = folder.join(FILE);
    let shown = path.display();
    if !path.exists() {
        return Err(format!("there is no `{shown}`"));
    }
    read(&path).map_err(|why| format!("`{shown}` cannot be read: {why}"))
}

fn read(path: &Path) -> Result<Looked, String> {
    match guard(|| builder().open_read_only(path)).map_err(said)? {
        // Its program was killed, and no other has mended it.
        Err(DatabaseError::RepairAborted) => {
            let killed = fs::metadata(path).and_then(|metadata| metadata.modified());
            let mended = guard(|| mended(path)).map_err(said)??;
            looked(&mended, Some(killed.unwrap_or_else(|_| SystemTime::now())))
        }
        Err(error) => Err(unopened(error).words()),
        Ok(database) => looked(&database, None),
    }
}

/// A copy in memory, mended.
fn mended(path: &Path) -> Result<Database, String> {
    let bytes = fs::read(path).map_err(said)?;
    let copy = InMemoryBackend::new();
    copy.set_len(bytes.len() as u64).map_err(said)?;
    copy.write(0, &bytes).map_err(said)?;
    let mut builder = Database::builder();
    let database = builder
        .set_check_integrity_on_open(true)
        .create_with_backend(copy);
    database.map_err(|error| unopened(error).words())
}

fn looked(database: &impl ReadableDatabase, killed: Option<SystemTime>) -> Result<Looked, String> {
    let transaction = database.begin_read().map_err(said)?;
    let mut damage = Vec::new();
    let mut tasks = match transaction.open_table(TASKS) {
        Err(TableError::TableDoesNotExist(_)) => Vec::new(),
        table => tasks(&table.map_err(said)?, &mut damage)?,
    };
    if let Some(end) = killed.or(closed(&transaction)?) {
        tasks.iter_mut().for_each(|stored| stored.interrupt(end));
    }
    Stored::sort(&mut tasks);
    Ok(Looked { tasks, damage })
}

fn said(error: impl Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::{Looked, look};
    use crate::background::TaskStatus;
    use crate::background::disk::{Change, Disk, Stored};
    use crate::background::store::{FILE, Store, TASKS, builder};
    use crate::scratch::Scratch;
    use serde_json::json;
    use std::error::Error;
    use std::fs;
    use std::path::Path;
    use std::time::SystemTime;

    type Tested = Result<(), Box<dyn Error>>;

    fn open(folder: &Path) -> Result<Store, String> {
        Store::open(folder, None).map(|opened| opened.store)
    }

    fn working(number: u32) -> Result<Change, serde_json::Error> {
        let stored: Stored = serde_json::from_value(json!({
            "session": "s",
            "offer": "none",
            "task": {
                "id": format!("task_{number}"),
                "call_id": "",
                "name": "work",
                "status": "working",
                "started": "2026-01-01T00:00:00.000Z",
            },
        }))?;
        Ok(Change::Put(Box::new(stored)))
    }

    /// A folder with two tasks of a program that still runs.
    fn running(folder: &Path) -> Result<Store, Box<dyn Error>> {
        let store = open(folder)?;
        // Outside of tokio it is written at once.
        drop(store.write(vec![working(1)?, working(2)?], 3));
        Ok(store)
    }

    fn statuses(looked: &Looked) -> Vec<TaskStatus> {
        let statuses = looked.tasks.iter().map(|stored| stored.task.status);
        statuses.collect()
    }

    /// Looks; nothing of the file may change by that.
    fn looked(folder: &Path) -> Result<Looked, Box<dyn Error>> {
        let before = fs::read(folder.join(FILE))?;
        let looked = look(folder)?;
        assert!(fs::read(folder.join(FILE))? == before, "it was changed");
        assert_eq!(fs::read_dir(folder)?.count(), 1, "there is another file");
        Ok(looked)
    }

    /// As a program leaves it that is killed.
    fn killed(folder: &Path) -> Result<Scratch, Box<dyn Error>> {
        let copy = Scratch::new();
        fs::create_dir_all(&copy.0)?;
        fs::copy(folder.join(FILE), copy.0.join(FILE))?;
        Ok(copy)
    }

    #[test]
    fn a_task_is_working_as_long_as_its_program_has_the_folder() -> Tested {
        let folder = Scratch::new();
        let store = running(&folder.0)?;
        let known = looked(&folder.0)?;
        assert_eq!(statuses(&known), [TaskStatus::Working; 2]);
        let killed = killed(&folder.0)?;
        drop(store);
        for folder in [&folder.0, &killed.0] {
            let known = looked(folder)?;
            assert_eq!(statuses(&known), [TaskStatus::Interrupted; 2]);
            let end = known.tasks[0].task.ended.ok_or("it has an end")?;
            assert!(end.duration_since(SystemTime::now() - MINUTE).is_ok());
            assert_eq!(known.damage, [""; 0]);
        }
        // The program is started again, and has not ended.
        let store = open(&folder.0)?;
        drop(store.write(vec![working(3)?], 4));
        let known = statuses(&looked(&folder.0)?);
        assert_eq!(known.last(), Some(&TaskStatus::Working));
        Ok(())
    }

    const MINUTE: std::time::Duration = std::time::Duration::from_secs(60);

    #[test]
    fn a_record_that_cannot_be_read_is_told_of_and_costs_no_other() -> Tested {
        let folder = Scratch::new();
        drop(running(&folder.0)?);
        let database = builder().open(folder.0.join(FILE))?;
        let transaction = database.begin_write()?;
        transaction
            .open_table(TASKS)?
            .insert(("s", "task_1"), &b"{"[..])?;
        transaction.commit()?;
        let killed = killed(&folder.0)?;
        drop(database);
        let damage = "the record of task_1 of session `s` cannot be read (EOF while parsing an \
                      object at line 1 column 1); it is left alone";
        for folder in [&folder.0, &killed.0] {
            let known = looked(folder)?;
            assert_eq!(
                (statuses(&known).len(), &*known.damage),
                (1, &[damage.to_owned()][..])
            );
        }
        let opened = Store::open(&folder.0, None)?;
        assert_eq!(
            (opened.left.tasks.len(), &*opened.damage),
            (1, &[damage.to_owned()][..])
        );
        Ok(())
    }
}
