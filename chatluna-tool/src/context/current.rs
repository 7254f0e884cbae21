//! The call whose code runs on a thread.

use super::CallContext;
use std::cell::Cell;
use std::sync::atomic::Ordering;

thread_local! {
    /// The call whose code is running on this thread.
    static CURRENT: Cell<Option<CallContext>> = const { Cell::new(None) };
}

/// The call whose code was running before, until this is dropped.
struct Before(Option<CallContext>);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

impl CallContext {
    /// Runs code of the tool, which does not panic, as this call's.
    #[inline]
    pub(crate) fn within<T>(&self, guarded: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let value = guarded();
        CURRENT.set(before);
        value
    }

    /// Runs the tool's function, on a thread of its own, as this call's code.
    pub(crate) fn thread_scope<T>(self, function: impl FnOnce() -> T) -> T {
        self.0.on_thread.store(true, Ordering::Relaxed);
        let _before = Before(CURRENT.replace(Some(self)));
        function()
    }

    pub(crate) fn is_on_thread(&self) -> bool {
        self.0.on_thread.load(Ordering::Relaxed)
    }

    /// The call whose code is running.
    #[inline]
    pub(crate) fn current() -> Option<Self> {
        let current = |slot: &Cell<Option<Self>>| {
            let call = slot.take();
            slot.set(call.clone());
            call
        };
        CURRENT.try_with(current).ok().flatten()
    }
}
