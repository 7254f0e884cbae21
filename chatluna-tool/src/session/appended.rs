//! What a model is told of besides what it is told of from the start: tools that it has found, and
//! those of the runtime that have become of use.

use super::view::View;
use crate::builtin;
use crate::tool::Tool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Their names, in the order in which they came: what a model has been told of stays where it is, so
/// that a provider's cache of the request holds.
#[derive(Debug, Default)]
pub(crate) struct Appended(Mutex<Vec<Arc<str>>>);

impl Appended {
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
        // What is useful is asked outside of the lock.
        let useful: Vec<&str> = builtin::useful(view).collect();
        let mut names = self.lock();
        for name in useful {
            add(&mut names, name);
        }
        names.clone()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.lock().iter().any(|known| **known == *name)
    }

    /// Whether the name is new.
    pub(crate) fn load(&self, name: &str) -> bool {
        add(&mut self.lock(), name)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<str>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(names: &mut Vec<Arc<str>>, name: &str) -> bool {
    let is_new = names.iter().all(|known| **known != *name);
    if is_new {
        names.push(name.into());
    }
    is_new
}
