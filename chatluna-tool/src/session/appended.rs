//! What a model is told of besides what it is told of from the start: tools that it has found, and
//! those of the runtime that have become of use.

use super::view::View;
use crate::background::Written;
use crate::builtin;
use crate::tool::Tool;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Their names, in the order in which they came: what a model has been told of stays where it is, so
/// that a provider's cache of the request holds, over a restart too where the runtime has a folder.
#[derive(Debug, Default)]
pub(crate) struct Appended(Mutex<List>);

#[derive(Debug, Default)]
struct List {
    names: Vec<Arc<str>>,
    /// Whether a session of this id is opened again.
    is_kept: bool,
    /// The last tool of it on its way to the disk, which comes there behind all others.
    written: Option<Shared<BoxFuture<'static, ()>>>,
}

impl Appended {
    /// What a session of this id was told of before, and its changes from now on are kept. A name
    /// that says nothing any more is passed over, and may come back to its place.
    pub(crate) fn kept(names: Vec<Arc<str>>) -> Self {
        Self(Mutex::new(List {
            names,
            is_kept: true,
            written: None,
        }))
    }

    /// The runtime's own tools that there are by now.
    pub(crate) fn builtins(
        &self,
        view: &View<'_>,
    ) -> impl Iterator<Item = &'static Arc<dyn Tool>> + use<> {
        let names = self.now(view);
        names.into_iter().filter_map(|name| builtin::named(&name))
    }

    /// All of it that the session sees and is not told of from the start.
    pub(super) fn tools<'view>(&self, view: &'view View<'_>) -> Vec<&'view Arc<dyn Tool>> {
        let names = self.now(view);
        let tools = names.iter().filter_map(|name| {
            let found = view.registry().get(name);
            let found = found.filter(|tool| view.is_deferred(tool));
            found.or_else(|| builtin::named(name))
        });
        tools.filter(|tool| view.sees(tool)).collect()
    }

    /// The names, after a look at what has become of use.
    fn now(&self, view: &View<'_>) -> Vec<Arc<str>> {
        let list = self.after_a_look(view);
        // Nobody waits for it: a crash costs no more than an order.
        drop(list.keep(view));
        list.names.clone()
    }

    fn after_a_look(&self, view: &View<'_>) -> MutexGuard<'_, List> {
        // What is useful is asked outside of the lock.
        let useful: Vec<&str> = builtin::useful(view).collect();
        let mut list = self.lock();
        for name in useful {
            list.add(name);
        }
        list
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.lock().has(name)
    }

    /// Whether the name is new. It comes behind what is of use already.
    pub(super) fn load(&self, view: &View<'_>, name: &str) -> bool {
        let mut list = self.after_a_look(view);
        let is_new = list.add(name);
        if let Some(written) = list.keep(view) {
            list.written = Some(written.done().boxed().shared());
        }
        is_new
    }

    /// Waits until no crash can undo what was added.
    pub(super) async fn written(&self) {
        let written = self.lock().written.clone();
        if let Some(written) = written {
            written.await;
        }
    }

    /// Whether nothing is on its way to the disk.
    pub(super) fn is_written(&self) -> bool {
        let mut list = self.lock();
        let is_written = |written: &Shared<_>| written.peek().is_some();
        if list.written.as_ref().is_some_and(is_written) {
            list.written = None;
        }
        list.written.is_none()
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| **known == *name)
    }

    fn add(&mut self, name: &str) -> bool {
        let is_new = !self.has(name);
        if is_new {
            self.names.push(name.into());
        }
        is_new
    }

    fn keep(&self, view: &View<'_>) -> Option<Written> {
        let session = view.session();
        let keep = || {
            session
                .ledger()
                .keep_loaded(&session.info().id, &self.names)
        };
        self.is_kept.then(keep)?
    }
}
