//! The calls of a session that have not ended, to be cancelled by their ids.

use crate::context::CallContext;
use crate::marks::Shown;
use std::mem;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Each knows its index.
    list: Mutex<Vec<CallContext>>,
}

impl Calls {
    #[inline]
    fn insert(&self, call: &CallContext) {
        let mut list = self.lock();
        call.set_index(list.len());
        list.push(call.clone());
        // Within the lock: whoever cancels the outer call comes before, or sees this one.
        if call.outer().is_some_and(CallContext::is_cancelled) {
            call.signal().fire();
        }
    }

    #[inline]
    fn remove(&self, call: &CallContext) {
        let mut list = self.lock();
        let index = call.index();
        let listed = list.swap_remove(index);
        if let Some(moved) = list.get(index) {
            moved.set_index(index);
        }
        drop(list);
        drop(listed);
    }

    /// Tells the calls that match, and those that their tools make, to end; how many match.
    pub(crate) fn cancel(&self, matches: impl Fn(&CallContext) -> bool) -> usize {
        let list = self.lock();
        let ending = list.iter().filter(|call| call.with_outer().any(&matches));
        let ending: Vec<CallContext> = ending.cloned().collect();
        drop(list);
        ending.iter().for_each(|call| call.signal().fire());
        ending.iter().filter(|call| matches(call)).count()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<CallContext>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that can be cancelled, until this is dropped.
#[derive(Debug)]
pub(crate) struct Registered {
    call: CallContext,
    is_listed: bool,
}

impl Registered {
    #[inline]
    pub(crate) fn new(call: CallContext) -> Self {
        call.session_handle().calls().insert(&call);
        Self {
            call,
            is_listed: true,
        }
    }

    /// What stands where a call was.
    pub(crate) fn none(&self) -> Self {
        Self {
            call: self.call.clone(),
            is_listed: false,
        }
    }

    /// What is left of a call that is over; copied only where the tool kept its context.
    #[inline]
    pub(crate) fn take_rest(&mut self) -> (String, Option<Box<Shown>>) {
        self.deregister();
        self.call.take_rest()
    }

    #[inline]
    fn deregister(&mut self) {
        if mem::take(&mut self.is_listed) {
            self.call.session_handle().calls().remove(&self.call);
        }
    }
}

impl Deref for Registered {
    type Target = CallContext;

    fn deref(&self) -> &CallContext {
        &self.call
    }
}

impl Drop for Registered {
    #[inline]
    fn drop(&mut self) {
        self.deregister();
    }
}
