//! The file of tasks, from the writing side.

use super::disk::{Change, DiskError};
use super::store::{close, enter};
use crate::backlog::Sink;
use crate::guard::guard;
use redb::Database;
use std::io;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Makes all changes that wait in one transaction.
pub(super) struct Writer(pub(super) Database);

/// Changes that are not on the disk.
pub(super) struct Waiting {
    pub(super) changes: Vec<Change>,
    pub(super) next: u64,
    /// Hears what came of them.
    pub(super) done: oneshot::Sender<Result<(), DiskError>>,
}

impl Writer {
    fn commit(&self, group: &[Waiting]) -> Result<(), redb::Error> {
        let transaction = self.0.begin_write()?;
        let next = group.iter().map(|waiting| waiting.next).max();
        let changes = group.iter().map(|waiting| &waiting.changes);
        enter(&transaction, changes, next.unwrap_or_default())?;
        transaction.commit()?;
        Ok(())
    }
}

impl Sink for Writer {
    type Item = Waiting;

    fn write(&self, group: Vec<Waiting>) {
        let written: Result<(), DiskError> = match guard(|| self.commit(&group)) {
            Ok(written) => written.map_err(|error| Arc::new(error) as DiskError),
            Err(panicked) => Err(Arc::new(io::Error::other(panicked.to_string()))),
        };
        for waiting in group {
            // An error says that nobody waits for it.
            let _ = waiting.done.send(written.clone());
        }
    }
}

impl Drop for Writer {
    /// Nothing waits any more: who writes holds the writer.
    fn drop(&mut self) {
        let why = match guard(|| close(&self.0)) {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(panicked) => panicked.to_string(),
        };
        tracing::warn!(why, "the end of a store could not be stored");
    }
}

#[cfg(test)]
mod tests {
    use crate::background::disk::{Change, Disk};
    use crate::background::store::Store;
    use crate::background::task::TaskId;
    use crate::scratch::Scratch;
    use std::error::Error;
    use std::path::Path;
    use std::sync::{Arc, mpsc};
    use std::time::Duration;
    use tokio::runtime::{Builder, Runtime};

    type Tested = Result<(), Box<dyn Error>>;

    /// How long a test waits for what does not come.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn open(folder: &Path) -> Result<Store, String> {
        Store::open(folder, None).map(|opened| opened.store)
    }

    /// The number of the next task, as the folder has it.
    fn next(folder: &Path) -> Result<u64, String> {
        Store::open(folder, None).map(|opened| opened.left.next)
    }

    fn change() -> Vec<Change> {
        vec![Change::Remove {
            session: "s".to_owned(),
            id: TaskId::new("task_1"),
        }]
    }

    fn tokio(blocking_threads: usize) -> std::io::Result<Runtime> {
        let mut builder = Builder::new_multi_thread();
        let builder = builder.worker_threads(1).enable_time();
        builder.max_blocking_threads(blocking_threads).build()
    }

    /// Takes a thread until something is sent.
    fn occupy(tokio: &Runtime) -> mpsc::Sender<()> {
        let (free, freed) = mpsc::channel();
        drop(tokio.spawn_blocking(move || freed.recv()));
        free
    }

    #[test]
    fn what_waits_when_tokio_shuts_down_is_written() -> Tested {
        let folder = Scratch::new();
        let (store, tokio) = (open(&folder.0)?, tokio(1)?);
        let free = occupy(&tokio);
        let guard = tokio.enter();
        let written = [7, 8].map(|next| store.write(change(), next));
        drop(guard);
        tokio.shutdown_background();
        free.send(())?;
        for written in written {
            wait(written)?;
        }
        while Arc::strong_count(store.backlog()) > 1 {
            std::thread::yield_now();
        }
        drop(store);
        assert_eq!(next(&folder.0)?, 8);
        Ok(())
    }

    /// Waits for a future on a tokio of its own.
    fn wait<E: ToString>(written: impl Future<Output = Result<(), E>>) -> Tested {
        let own = Builder::new_current_thread().enable_time().build()?;
        let written = own.block_on(async { tokio::time::timeout(PATIENCE, written).await })?;
        written.map_err(|error| error.to_string().into())
    }

    #[test]
    fn what_comes_after_tokio_has_shut_down_is_written() -> Tested {
        let folder = Scratch::new();
        let (store, tokio) = (open(&folder.0)?, tokio(1)?);
        let handle = tokio.handle().clone();
        tokio.shutdown_timeout(PATIENCE);
        let guard = handle.enter();
        let written = store.write(change(), 7);
        drop((guard, store));
        wait(written)?;
        assert_eq!(next(&folder.0)?, 7);
        Ok(())
    }

    #[test]
    fn one_thread_writes_whatever_waits() -> Tested {
        let folder = Scratch::new();
        let (store, tokio) = (open(&folder.0)?, tokio(2)?);
        let busy = store.backlog().sink().0.begin_write()?;
        let guard = tokio.enter();
        let written: Vec<_> = (1..=50).map(|next| store.write(change(), next)).collect();
        let other = tokio.spawn_blocking(|| "there is a thread for it");
        tokio.block_on(async { tokio::time::timeout(PATIENCE, other).await })??;
        drop(guard);
        busy.abort()?;
        tokio.block_on(async {
            for written in written {
                written.await.map_err(|error| error.to_string())?;
            }
            Ok::<_, String>(())
        })?;
        drop((store, tokio));
        assert_eq!(next(&folder.0)?, 50);
        Ok(())
    }

    #[test]
    fn what_is_dropped_unawaited_is_written_without_tokio() -> Tested {
        let folder = Scratch::new();
        let store = open(&folder.0)?;
        drop(store.write(change(), 9));
        drop(store);
        assert_eq!(next(&folder.0)?, 9);
        Ok(())
    }
}
