//! What a session is told of tasks that have ended.

use super::ledger::Ledger;
use super::task::{Task, TaskId, TaskStatus};
use crate::call::ToolResult;
use crate::output::picture_controls;
use crate::session::Session;
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How many bytes of a result a notice shows.
const SHOWN_BYTES: usize = 4_096;

/// How far the notice of a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Offer {
    /// There is none.
    None,
    /// It is offered; the number says in which order.
    #[serde(with = "unnumbered")]
    Open(u64),
    /// It is not offered again.
    Acknowledged,
}

/// A number that holds for one process.
mod unnumbered {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(_: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        ().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        <()>::deserialize(deserializer).map(|()| 0)
    }
}

impl Offer {
    pub(super) fn number(self) -> Option<u64> {
        match self {
            Self::Open(number) => Some(number),
            Self::None | Self::Acknowledged => None,
        }
    }

    pub(super) fn is_open(self) -> bool {
        self.number().is_some()
    }

    pub(super) fn renumbered(self, number: impl FnOnce() -> u64) -> Self {
        match self {
            Self::Open(_) => Self::Open(number()),
            other => other,
        }
    }
}

/// Tells that a task has ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Notice {
    /// The same whenever it is offered, also after a restart: `notice_of_task_3`.
    pub id: String,
    /// The task at its end.
    pub task: Task,
    /// Whether the model can read on.
    has_reader: bool,
}

impl Notice {
    pub(super) fn of(task: &Task) -> Self {
        Self {
            id: format!("{PREFIX}{}", task.id),
            task: task.clone(),
            has_reader: false,
        }
    }

    /// What a model is told: how the task has ended, with up to 4 KiB of its result. Control
    /// characters are shown as signs.
    pub fn text(&self) -> String {
        picture_controls(self.raw().into()).into_owned()
    }

    fn raw(&self) -> String {
        let Task {
            id, name, status, ..
        } = &self.task;
        match (status, &self.task.result) {
            (TaskStatus::Interrupted, _) | (_, None) => format!(
                "background task {id} ({name}) was interrupted and is not run again; its effect may \
                 or may not have happened"
            ),
            (TaskStatus::Completed, Some(result)) => {
                let shown = self.shown(result);
                format!("background task {id} ({name}) has completed:\n{shown}")
            }
            (_, Some(result)) => {
                let shown = self.shown(result);
                format!("background task {id} ({name}) has failed:\n{shown}")
            }
        }
    }

    /// The beginning of the result, and how to come to the rest of it.
    fn shown(&self, result: &ToolResult) -> String {
        let text = result.text();
        let shown = &text[..text.floor_char_boundary(SHOWN_BYTES)];
        let (id, size) = (&self.task.id, text.len());
        match shown.len() < size {
            true if self.has_reader => {
                format!(
                    "{shown}\n[cut: {size} bytes in all; read them with task_output, task {id}]"
                )
            }
            true => format!("{shown}\n[cut: {size} bytes in all]"),
            false => shown.to_owned(),
        }
    }
}

const PREFIX: &str = "notice_of_";

/// The task that a notice is of.
fn task_of(notice: &str) -> Option<TaskId> {
    notice.strip_prefix(PREFIX).map(TaskId::new)
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The notices of a session: [`Session::notices`].
///
/// Each that is not acknowledged is offered once by each value of this type, in the order in which
/// the tasks ended; a new value, also one of a program that was started anew, offers it again.
/// After [`acknowledge`](Self::acknowledge) it is not offered any more. A model that reads the
/// result of a task with `task_output` acknowledges its notice.
#[derive(Debug)]
pub struct Notices {
    session: Session,
    /// The number of the notice that was offered last.
    last: u64,
}

impl Notices {
    pub(crate) fn new(session: Session) -> Self {
        Self { session, last: 0 }
    }

    fn ledger(&self) -> &Ledger {
        self.session.ledger()
    }

    fn owner(&self) -> &str {
        &self.session.info().id
    }

    fn offered(&self, most: usize) -> Vec<(u64, Notice)> {
        let mut offered = self.ledger().offered(self.owner(), self.last, most);
        if !offered.is_empty() {
            let has_reader = self.session.definition("task_output").is_ok();
            let notices = offered.iter_mut().map(|(_, notice)| notice);
            notices.for_each(|notice| notice.has_reader = has_reader);
        }
        offered
    }

    /// Waits for the next notice. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Notice {
        let news = self.ledger().news(self.owner());
        loop {
            let new = news.notified();
            let mut offered = self.offered(1);
            if let Some((number, notice)) = offered.pop() {
                self.last = number;
                return notice;
            }
            new.await;
        }
    }

    /// The notices that [`next`](Self::next) would give without waiting.
    pub fn drain(&mut self) -> Vec<Notice> {
        let offered = self.offered(usize::MAX);
        if let Some((number, _)) = offered.last() {
            self.last = *number;
        }
        offered.into_iter().map(|(_, notice)| notice).collect()
    }

    /// Says that the notice of this [`id`](Notice::id) has reached whom it is for. Whether there was
    /// such a notice that was not acknowledged.
    ///
    /// It returns once that is stored, where tasks are.
    pub async fn acknowledge(&self, id: &str) -> bool {
        match task_of(id) {
            Some(task) => self.ledger().acknowledge(self.owner(), &task).await,
            None => false,
        }
    }

    /// The notices as a stream without end.
    pub fn into_stream(self) -> impl Stream<Item = Notice> + Send + Unpin {
        Box::pin(unfold(self, |mut notices| async move {
            let notice = notices.next().await;
            Some((notice, notices))
        }))
    }
}

impl Drop for Notices {
    fn drop(&mut self) {
        self.ledger().close(self.owner());
    }
}
