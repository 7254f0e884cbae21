//! The tasks of a session.

use super::retention::MAX_ENDED;
use crate::background::disk::Stored;
use crate::background::notice::Offer;
use crate::background::task::{Task, TaskId};
use crate::context::CallContext;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::sync::Notify;

/// By session.
pub(super) type Books = HashMap<String, Book>;

/// The tasks of a session.
#[derive(Default)]
pub(super) struct Book {
    pub(super) entries: HashMap<TaskId, Entry>,
    /// Tells of notices that are new.
    pub(super) news: Arc<Notify>,
}

pub(super) struct Entry {
    /// As it began, or as it ended.
    pub(super) task: Task,
    /// Gone at its end: it holds the runtime.
    pub(super) call: Option<CallContext>,
    /// Tells of its end.
    pub(super) end: Arc<Notify>,
    pub(super) offer: Offer,
}

impl Book {
    /// Those that had ended by then.
    pub(super) fn old(&self, since: Option<SystemTime>) -> Vec<TaskId> {
        let is_old = |task: &&Task| task.ended.is_some_and(|end| Some(end) <= since);
        let tasks = self.entries.values().map(|entry| &entry.task);
        tasks.filter(is_old).map(|task| task.id.clone()).collect()
    }

    /// Whether it has no tasks, and nobody listens to it.
    pub(super) fn is_needless(&self) -> bool {
        self.entries.is_empty() && Arc::strong_count(&self.news) == 1
    }

    /// The oldest of those that have ended and that nobody has to be told of.
    pub(super) fn surplus(&self) -> Vec<TaskId> {
        let entries = self.entries.values();
        let settled = entries.filter(|entry| entry.task.ended.is_some() && !entry.offer.is_open());
        let mut ended: Vec<&Task> = settled.map(|entry| &entry.task).collect();
        ended.sort_by_key(|task| task.ended);
        let surplus = ended.len().saturating_sub(MAX_ENDED);
        ended[..surplus]
            .iter()
            .map(|task| task.id.clone())
            .collect()
    }
}

impl Entry {
    pub(super) fn new(task: Task, call: Option<CallContext>, offer: Offer) -> Self {
        Self {
            task,
            call,
            end: Arc::default(),
            offer,
        }
    }

    pub(super) fn now(&self) -> Task {
        match &self.call {
            Some(call) => self.task.clone().seen(call),
            None => self.task.clone(),
        }
    }

    pub(super) fn stored(&self, session: &str) -> Box<Stored> {
        Box::new(Stored {
            session: session.to_owned(),
            task: self.task.clone(),
            offer: self.offer,
        })
    }
}
