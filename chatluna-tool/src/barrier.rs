//! What keeps calls that are not parallel alone in their session, also when steps overlap.

use crate::context::CallContext;
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Parallel batches share a session, other calls have it to themselves; first come, first served.
#[derive(Debug, Default)]
pub(crate) struct Barrier {
    lock: RwLock<()>,
}

/// A place behind the barrier, until it is dropped.
pub(crate) enum Place<'session> {
    Shared {
        _guard: RwLockReadGuard<'session, ()>,
    },
    Alone {
        _guard: RwLockWriteGuard<'session, ()>,
    },
    /// The caller is itself a call of the session, and has its place already.
    Inherited,
}

impl Barrier {
    /// Waits for a place. A call that a tool makes from within its own call runs in the tool's
    /// place: the tool waits for it, so it cannot wait for the tool.
    pub(crate) async fn enter(&self, parallel: bool) -> Place<'_> {
        if CallContext::is_inside(self) {
            return Place::Inherited;
        }
        // `try_` gives way to those who wait already, and costs a fraction of what waiting does.
        if parallel {
            let _guard = match self.lock.try_read() {
                Ok(guard) => guard,
                Err(_) => self.lock.read().await,
            };
            return Place::Shared { _guard };
        }
        let _guard = match self.lock.try_write() {
            Ok(guard) => guard,
            Err(_) => self.lock.write().await,
        };
        Place::Alone { _guard }
    }
}
