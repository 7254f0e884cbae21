//! How a call learns that it is cancelled.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

/// Fires once, for all who wait and all who ask later.
#[derive(Debug, Default)]
pub(crate) struct Signal {
    fired: AtomicBool,
    notify: Notify,
}

impl Signal {
    pub(crate) fn fire(&self) {
        self.mark();
        self.notify.notify_waiters();
    }

    /// Fires for all who ask; who waits hears of it with [`fire`](Self::fire).
    pub(crate) fn mark(&self) {
        self.fired.store(true, Ordering::Release);
    }

    pub(crate) fn is_fired(&self) -> bool {
        self.fired.load(Ordering::Acquire)
    }

    /// Waits until it fires.
    pub(crate) async fn fired(&self) {
        // Made before the look: it hears of every firing from here on.
        let notified = self.notify.notified();
        if !self.is_fired() {
            notified.await;
        }
    }
}
