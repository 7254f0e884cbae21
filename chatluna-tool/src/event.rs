//! What happens in a session, for whoever shows it: [`Session::events`](crate::Session::events).

use crate::arguments::Repair;
use crate::background::TaskId;
use crate::error::ErrorKind;
use crate::permission::{Decision, Rule};
use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};

/// How many events wait for a listener that is slow; older ones are lost to it.
const BUFFER: usize = 1_024;

/// Something that happened in a session.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// To a call.
    Call(CallEvent),
    /// What the session sees may have changed: tools came or went, a filter or a tool mode was set, or
    /// a tool was found. [`definitions`](crate::Session::definitions) tells what there is; in a turn
    /// that is open, tools that came are seen with the next turn.
    ToolsChanged,
    /// So many events were lost: the listener was too slow.
    Missed(u64),
}

/// Something that happened to a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallEvent {
    /// The provider's id of the call, which may repeat.
    pub id: String,
    /// The name of the tool.
    pub tool: String,
    /// What tells the calls of a session apart.
    pub number: u64,
    /// What happened.
    pub kind: EventKind,
}

/// What happened to a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// It was read otherwise than it was written.
    Repaired(Repair),
    /// The policy has judged it. What it denies is not run.
    Judged(Box<Decision>),
    /// What [`RuntimeBuilder::shadow_policy`](crate::RuntimeBuilder::shadow_policy) would have said,
    /// where that is another verdict.
    Shadowed(Box<Decision>),
    /// Somebody is asked whether it may go on.
    Asked {
        /// Why.
        reason: Cow<'static, str>,
    },
    /// The question is answered, or nobody did in time.
    Decided {
        /// The kind of the refusal; `None` is a yes.
        refusal: Option<ErrorKind>,
        /// Who decided.
        by: Answerer,
    },
    /// Its tool runs.
    Started,
    /// Its tool tells how far it is.
    Progress {
        /// Between 0 and 1, where the tool knows.
        fraction: Option<f64>,
        /// In words, up to 1,000 bytes.
        message: String,
    },
    /// A line of its tool's log, up to 1,000 bytes.
    Log(String),
    /// It goes on, though nobody waits for it; a call that is a task from the beginning is told of
    /// before it starts.
    ///
    /// It comes before `Finished`; with an [`Executor`](crate::Executor) of the program's own it may
    /// come after, for a call that ends before its step hears of the task.
    MovedToBackground(TaskId),
    /// It is over.
    Finished {
        /// What went wrong, if anything did.
        error: Option<ErrorKind>,
        /// How long it ran.
        elapsed: Duration,
    },
}

/// Who decides what has to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answerer {
    /// The approver of this name.
    Approver(String),
    /// A rule, such as an answer that was remembered.
    Rule(Box<Rule>),
    /// Whoever answered before the call was resumed.
    Resumed,
    /// There is nobody to ask, or nobody answered in time.
    Nobody,
}

impl Answerer {
    pub(crate) fn rule(&self) -> Option<&Rule> {
        match self {
            Self::Rule(rule) => Some(rule),
            _ => None,
        }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Approver(name) => Some(name),
            Self::Resumed => Some("resumed"),
            Self::Rule(_) | Self::Nobody => None,
        }
    }
}

impl fmt::Display for Answerer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Approver(name) => f.write_str(name),
            Self::Rule(rule) => write!(f, "the rule {rule}"),
            Self::Resumed => f.write_str("an answer from before"),
            Self::Nobody => f.write_str("nobody"),
        }
    }
}

/// The events of a session, from the time of [`Session::events`](crate::Session::events) on.
#[derive(Debug)]
pub struct Events(Receiver<Event>);

impl Events {
    /// The next event; `None` once the session is closed and all are read.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Event> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(RecvError::Lagged(count)) => Some(Event::Missed(count)),
            Err(RecvError::Closed) => None,
        }
    }
}

/// Where events go. Without a listener there is no channel.
#[derive(Debug, Default)]
pub(crate) struct Channel(OnceLock<Sender<Event>>);

impl Channel {
    pub(crate) fn listen(&self) -> Events {
        Events(self.0.get_or_init(|| channel(BUFFER).0).subscribe())
    }

    #[inline]
    pub(crate) fn send(&self, event: impl FnOnce() -> CallEvent) {
        if let Some(sender) = self.heard() {
            deliver(sender, event);
        }
    }

    pub(crate) fn tell(&self, event: &Event) {
        if let Some(sender) = self.heard() {
            let _ = sender.send(event.clone());
        }
    }

    #[inline]
    pub(crate) fn is_heard(&self) -> bool {
        self.heard().is_some()
    }

    #[inline]
    fn heard(&self) -> Option<&Sender<Event>> {
        self.0.get().filter(|sender| sender.receiver_count() > 0)
    }
}

#[cold]
fn deliver(sender: &Sender<Event>, event: impl FnOnce() -> CallEvent) {
    // An error says that the last listener has just gone.
    let _ = sender.send(Event::Call(event()));
}
