//! A folder of tasks, looked at from outside.

use super::disk::Stored;
use super::store::{FILE, Store, TASKS, builder, records, unopened};
use crate::guard::guard;
use redb::{DatabaseError, ReadableDatabase, TableError};
use std::path::Path;

/// The tasks of a folder as they are now, also while another process has it.
///
/// # Errors
/// In words for the person.
pub(crate) fn look(folder: &Path) -> Result<Vec<Stored>, String> {
    let path = folder.join(FILE);
    let shown = path.display();
    if !path.exists() {
        return Err(format!("there is no `{shown}`"));
    }
    let unreadable = |why: String| format!("`{shown}` cannot be read: {why}");
    let opened = guard(|| builder().open_read_only(&path));
    let opened = opened.map_err(|panicked| unreadable(panicked.to_string()))?;
    let database = match opened {
        // Its program has died; nobody else mends it.
        Err(DatabaseError::RepairAborted) => return mended(folder).map_err(unreadable),
        opened => opened.map_err(|error| unreadable(unopened(error).words()))?,
    };
    let read = || -> Result<Vec<Stored>, String> {
        let transaction = database.begin_read().map_err(|error| error.to_string())?;
        let table = match transaction.open_table(TASKS) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
            opened => opened.map_err(|error| error.to_string())?,
        };
        records(&table, &mut Vec::new())
    };
    read().map(sorted).map_err(unreadable)
}

fn mended(folder: &Path) -> Result<Vec<Stored>, String> {
    let opened = Store::open(folder, None)?;
    match opened.damage.first() {
        Some(damage) => Err(damage.clone()),
        None => Ok(sorted(opened.left.tasks)),
    }
}

fn sorted(mut tasks: Vec<Stored>) -> Vec<Stored> {
    Stored::sort(&mut tasks);
    tasks
}
