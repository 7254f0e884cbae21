//! Where tasks are kept over a restart.

use super::notice::Offer;
#[cfg(feature = "store")]
use super::task::TaskStatus;
use super::task::{Task, TaskId, moment};
use crate::BoxFuture;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;
use std::time::SystemTime;

/// Why something could not be kept.
pub(crate) type DiskError = Arc<dyn Error + Send + Sync>;

/// Keeps what the ledger tells it.
pub(crate) trait Disk: Send + Sync + 'static {
    /// Makes changes, all or nothing, in the order of the calls. The future ends when no crash can
    /// undo them; they are made too when it is dropped. `next` is the number of the next task.
    fn write(&self, changes: Vec<Change>, next: u64) -> BoxFuture<'static, Result<(), DiskError>>;
}

/// Changes on their way to the disk, where there is one.
#[must_use = "they may be undone by a crash until this is done"]
pub(crate) struct Written(Option<BoxFuture<'static, Result<(), DiskError>>>);

impl Written {
    pub(super) fn new(written: Option<BoxFuture<'static, Result<(), DiskError>>>) -> Self {
        Self(written)
    }

    /// Waits until no crash can undo them. What cannot be written is there as long as the process
    /// is.
    pub(crate) async fn done(self) {
        if let Some(written) = self.0
            && let Err(error) = written.await
        {
            tracing::error!(%error, "tasks or loaded tools could not be stored; a restart will not know of them");
        }
    }
}

/// One change of what is kept.
#[cfg_attr(
    not(feature = "store"),
    expect(dead_code, reason = "there is no disk that reads them")
)]
pub(crate) enum Change {
    Put(Box<Stored>),
    Remove { session: String, id: TaskId },
    Load(Box<Loaded>),
    Unload { session: String },
}

/// What a session's model was told of besides what it is told of from the start, as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Loaded {
    pub(crate) session: String,
    /// The names of tools, in the order in which they came.
    pub(crate) names: Vec<String>,
    /// When the session was last asked what it tells, at least.
    #[serde(with = "moment")]
    pub(crate) used: SystemTime,
}

/// A task as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub(crate) session: String,
    pub(crate) offer: Offer,
    pub(crate) task: Task,
}

impl Stored {
    /// Ends a task that has not ended: its process has.
    #[cfg(feature = "store")]
    pub(super) fn interrupt(&mut self, end: SystemTime) {
        if !self.task.status.has_ended() {
            self.task.status = TaskStatus::Interrupted;
            self.task.ended = Some(end);
            self.offer = Offer::Open(0);
        }
    }

    /// Puts tasks into the order of their sessions, and of their beginnings.
    #[cfg(feature = "cli")]
    pub(super) fn sort(tasks: &mut [Self]) {
        tasks.sort_by(|left, right| left.rank().cmp(&right.rank()));
    }

    #[cfg(feature = "cli")]
    fn rank(&self) -> (&str, impl Ord) {
        (&self.session, self.task.rank())
    }
}

/// What an earlier process has left.
#[cfg(feature = "store")]
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) tasks: Vec<Stored>,
    pub(crate) loaded: Vec<Loaded>,
    /// The number of the next task.
    pub(crate) next: u64,
}
