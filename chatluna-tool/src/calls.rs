//! The calls of a session that have not ended, to be cancelled by their ids.

use crate::context::{CallContext, Shown};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub(crate) struct Calls {
    list: Mutex<List>,
}

#[derive(Debug, Default)]
struct List {
    calls: Vec<Option<CallContext>>,
    /// The indices that are free again.
    free: Vec<usize>,
}

impl Calls {
    fn insert(&self, call: &CallContext) -> usize {
        let mut list = self.lock();
        let entry = Some(call.clone());
        let index = match list.free.pop() {
            Some(index) => {
                list.calls[index] = entry;
                index
            }
            None => {
                list.calls.push(entry);
                list.calls.len() - 1
            }
        };
        // Within the lock: whoever cancels the outer call comes before, or sees this one.
        if call.outer().is_some_and(CallContext::is_cancelled) {
            call.signal().fire();
        }
        index
    }

    fn remove(&self, index: usize) {
        let mut list = self.lock();
        let call = list.calls[index].take();
        list.free.push(index);
        drop(list);
        drop(call);
    }

    /// Tells the calls that match, and those that their tools make, to end; how many match.
    pub(crate) fn cancel(&self, matches: impl Fn(&CallContext) -> bool) -> usize {
        let list = self.lock();
        let calls = list.calls.iter().flatten();
        let ending = calls.filter(|call| call.with_outer().any(&matches));
        let ending: Vec<CallContext> = ending.cloned().collect();
        drop(list);
        ending.iter().for_each(|call| call.signal().fire());
        ending.iter().filter(|call| matches(call)).count()
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that can be cancelled, until this is dropped.
#[derive(Debug)]
pub(crate) struct Registered {
    call: CallContext,
    index: Option<usize>,
}

impl Registered {
    pub(crate) fn new(call: CallContext) -> Self {
        let index = Some(call.session_handle().calls().insert(&call));
        Self { call, index }
    }

    /// What stands where a call was.
    pub(crate) fn none(&self) -> Self {
        Self {
            call: self.call.clone(),
            index: None,
        }
    }

    /// What is left of a call that is over; copied only where the tool kept its context.
    pub(crate) fn take_rest(&mut self) -> (String, Option<Box<Shown>>) {
        self.deregister();
        self.call.take_rest()
    }

    #[inline]
    fn deregister(&mut self) {
        if let Some(index) = self.index.take() {
            self.call.session_handle().calls().remove(index);
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
    fn drop(&mut self) {
        self.deregister();
    }
}
