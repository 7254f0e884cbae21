//! What has to be written, by a thread that may wait for a disk.

use crate::guard::guard;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;

/// Where things are written.
pub(crate) trait Sink: Send + Sync + 'static {
    /// One thing.
    type Item: Send;

    /// Writes what has come meanwhile, in its order. Nothing else is written at that time.
    fn write(&self, group: Vec<Self::Item>);
}

/// Things that wait to be written, in the order in which they come. One thread at a time writes them,
/// all that waits at once, until nothing waits.
pub(crate) struct Backlog<S: Sink> {
    sink: S,
    queue: Mutex<Queue<S::Item>>,
}

struct Queue<T> {
    waiting: Vec<T>,
    /// Whether somebody writes, or is about to.
    is_tended: bool,
}

impl<S: Sink> Backlog<S> {
    pub(crate) fn new(sink: S) -> Self {
        let queue = Mutex::new(Queue {
            waiting: Vec::new(),
            is_tended: false,
        });
        Self { sink, queue }
    }

    pub(crate) fn sink(&self) -> &S {
        &self.sink
    }

    fn lock(&self) -> MutexGuard<'_, Queue<S::Item>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands one thing in. It is written by a thread of tokio's, also when tokio shuts down or
    /// whoever handed it in is gone; outside of tokio, before this returns, unless another thread is
    /// at it.
    pub(crate) fn push(self: &Arc<Self>, item: S::Item) {
        let mut queue = self.lock();
        queue.waiting.push(item);
        let is_tended = mem::replace(&mut queue.is_tended, true);
        drop(queue);
        if !is_tended {
            Tender(Arc::clone(self)).start();
        }
    }

    /// Writes until nothing waits.
    fn tend(&self) {
        while let Some(group) = self.next_group() {
            if let Err(panicked) = guard(|| self.sink.write(group)) {
                tracing::error!(%panicked, "something could not be stored");
            }
        }
    }

    /// All that waits. Who finds nothing does not tend the queue any more.
    fn next_group(&self) -> Option<Vec<S::Item>> {
        let mut queue = self.lock();
        queue.is_tended = !queue.waiting.is_empty();
        queue.is_tended.then(|| mem::take(&mut queue.waiting))
    }
}

/// Somebody who tends a queue once, when dropped: on a thread of tokio's, or, where tokio shuts down
/// and drops what has not begun, right there.
struct Tender<S: Sink>(Arc<Backlog<S>>);

impl<S: Sink> Tender<S> {
    fn start(self) {
        match Handle::try_current() {
            Ok(tokio) => drop(tokio.spawn_blocking(move || drop(self))),
            Err(_) => drop(self),
        }
    }
}

impl<S: Sink> Drop for Tender<S> {
    fn drop(&mut self) {
        self.0.tend();
    }
}
