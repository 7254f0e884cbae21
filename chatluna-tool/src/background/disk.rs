//! Where tasks are kept over a restart.

use super::notice::Offer;
use super::task::{Task, TaskId};
use crate::BoxFuture;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;

/// Why something could not be kept.
pub(crate) type DiskError = Arc<dyn Error + Send + Sync>;

/// Keeps what the ledger tells it.
pub(crate) trait Disk: Send + Sync + 'static {
    /// Makes changes, all or nothing, in the order of the calls. The future ends when no crash can
    /// undo them; they are made too when it is dropped. `next` is the number of the next task.
    fn write(&self, changes: Vec<Change>, next: u64) -> BoxFuture<'static, Result<(), DiskError>>;
}

/// One change of what is kept.
#[cfg_attr(
    not(feature = "store"),
    expect(dead_code, reason = "there is no disk that reads them")
)]
pub(crate) enum Change {
    Put(Box<Stored>),
    Remove { session: String, id: TaskId },
}

/// A task as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub(crate) session: String,
    pub(crate) offer: Offer,
    pub(crate) task: Task,
}

impl Stored {
    /// What puts tasks into the order of their sessions, and of their beginnings.
    #[cfg(feature = "cli")]
    pub(super) fn rank(&self) -> (&str, impl Ord) {
        (&self.session, self.task.rank())
    }
}

/// What an earlier process has left.
#[cfg(feature = "store")]
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) tasks: Vec<Stored>,
    /// The number of the next task.
    pub(crate) next: u64,
}
