//! One task: a call that outlives its step, or other work of the host program.

use crate::call::ToolResult;
use crate::context::CallContext;
use crate::error::ErrorKind;
use crate::marks::Told;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The id of a call that goes on in the background.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(Arc<str>);

impl TaskId {
    /// An id that an [`Executor`](crate::Executor) gives, or that a model or a person has written.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The id as the model reads it: `task_1`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for TaskId {
    fn from(id: &str) -> Self {
        Self::new(id)
    }
}

impl Serialize for TaskId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskStatus {
    /// It runs.
    Working,
    /// It waits for a person's answer.
    InputRequired,
    /// It has ended well.
    Completed,
    /// It has ended with an error.
    Failed,
    /// It was told to end, and has.
    Cancelled,
    /// Its process ended before it did, or its executor has lost it. It is not run again.
    Interrupted,
}

impl TaskStatus {
    /// The status in snake case: `input_required`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether it does not change any more.
    pub const fn has_ended(self) -> bool {
        !matches!(self, Self::Working | Self::InputRequired)
    }

    /// How a task ended that gave this, having been told to end or not.
    pub(super) fn of_result(result: Option<&ToolResult>, is_cancelled: bool) -> Self {
        match result.map(ToolResult::error) {
            None => Self::Interrupted,
            Some(None) if is_cancelled => Self::Cancelled,
            Some(None) => Self::Completed,
            Some(Some(ErrorKind::Cancelled)) => Self::Cancelled,
            Some(Some(_)) => Self::Failed,
        }
    }
}

impl fmt::Display for TaskStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How far a task says it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// Between 0 and 1, where the tool knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    /// In words, up to 1,000 bytes.
    pub message: String,
}

impl Progress {
    pub(crate) fn new(fraction: Option<f64>, message: String) -> Self {
        Self { fraction, message }
    }
}

/// A task as it is at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Task {
    /// What the model knows it by; no other task of the runtime has it, nor had.
    pub id: TaskId,
    /// The provider's id of the call; empty for other work.
    pub call_id: String,
    /// The name of the tool, or of the work.
    pub name: String,
    /// What people see in place of the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The agent that called, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How far it is.
    pub status: TaskStatus,
    /// When it became a task.
    #[serde(with = "moment")]
    pub started: SystemTime,
    /// When it ended.
    #[serde(default, with = "ending", skip_serializing_if = "Option::is_none")]
    pub ended: Option<SystemTime>,
    /// What it said last of how far it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// The last lines of its log, 100 at most, each of up to 1,000 bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// What it gave; nothing for one that was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ToolResult>,
}

impl Task {
    /// A call that becomes a task now.
    pub(super) fn new(id: TaskId, call: &CallContext) -> Self {
        Self {
            id,
            call_id: call.id().to_owned(),
            name: call.name().to_owned(),
            title: None,
            agent: call.session().agent.clone(),
            status: TaskStatus::Working,
            started: SystemTime::now(),
            ended: None,
            progress: None,
            log: Vec::new(),
            result: None,
        }
    }

    /// What puts tasks into the order in which they began.
    pub(super) fn rank(&self) -> (SystemTime, usize, &str) {
        // `task_10` comes behind `task_9`.
        let id = self.id.as_str();
        (self.started, id.len(), id)
    }

    /// The task with what its call says of itself.
    pub(super) fn seen(mut self, call: &CallContext) -> Self {
        if call.is_asking() {
            self.status = TaskStatus::InputRequired;
        }
        let Told {
            title,
            progress,
            log,
        } = call.told();
        Self {
            title,
            progress,
            log,
            ..self
        }
    }

    /// The task at its end.
    pub(super) fn ended(self, call: &CallContext, result: Option<ToolResult>) -> Self {
        let seen = self.seen(call);
        let title = result.as_ref().and_then(ToolResult::title);
        Self {
            status: TaskStatus::of_result(result.as_ref(), call.is_cancelled()),
            title: title.map(str::to_owned).or(seen.title),
            ended: Some(SystemTime::now()),
            result,
            ..seen
        }
    }

    /// How long it has been a task.
    pub(crate) fn lasted(&self) -> Duration {
        let until = self.ended.unwrap_or_else(SystemTime::now);
        until.duration_since(self.started).unwrap_or_default()
    }
}

/// Points in time as RFC 3339 has them, to the millisecond.
pub(super) mod moment {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        moment: &SystemTime,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&humantime::format_rfc3339_millis(*moment))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<SystemTime, D::Error> {
        let text = String::deserialize(deserializer)?;
        humantime::parse_rfc3339(&text).map_err(D::Error::custom)
    }
}

mod ending {
    use super::*;

    pub(super) fn serialize<S: Serializer>(
        ending: &Option<SystemTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match ending {
            Some(moment) => super::moment::serialize(moment, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SystemTime>, D::Error> {
        super::moment::deserialize(deserializer).map(Some)
    }
}
