//! What most calls do without: a question, notes of how they were read.

use super::ReadyCall;
use crate::arguments::Repair;
use crate::error::ToolError;
use crate::failures::Fingerprint;
use crate::permission::ApprovalRequest;
use crate::session::Approved;
use tokio::sync::oneshot;

/// What most calls do without: they are moved about.
#[derive(Default)]
pub(super) struct Rare {
    /// What has to be answered before it begins.
    pub(super) asking: Option<Asking>,
    /// When the answer is no longer good.
    pub(super) approved_until: Option<tokio::time::Instant>,
    pub(super) notes: Notes,
}

/// What is noted of a call while it is read.
#[derive(Default)]
pub(crate) struct Notes {
    /// How it was read otherwise than it was written.
    pub(crate) repairs: Vec<Repair>,
    /// What tells it from others of its turn.
    pub(crate) fingerprint: Option<Fingerprint>,
}

impl Notes {
    pub(super) fn is_empty(&self) -> bool {
        self.repairs.is_empty() && self.fingerprint.is_none()
    }
}

/// How far a question has come.
pub(crate) enum Asking {
    /// Nobody has been asked.
    Open(ApprovalRequest),
    /// The step drives the question.
    Raised(oneshot::Receiver<Result<Approved, ToolError>>),
    /// It was answered beforehand.
    Settled(Result<Approved, ToolError>),
}

impl ReadyCall {
    pub(crate) fn is_asking(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.asking.is_some())
    }

    /// The question that nobody has been asked.
    pub(crate) fn question(&self) -> Option<&ApprovalRequest> {
        match self.rare.as_ref()?.asking.as_ref()? {
            Asking::Open(question) => Some(question),
            Asking::Raised(_) | Asking::Settled(_) => None,
        }
    }

    pub(crate) fn set_asking(&mut self, asking: Asking) {
        self.rare.get_or_insert_default().asking = Some(asking);
    }

    pub(crate) fn take_asking(&mut self) -> Option<Asking> {
        self.rare.as_mut()?.asking.take()
    }

    /// Lets the call begin until then.
    pub(crate) fn approve(&mut self, until: Option<tokio::time::Instant>) {
        self.rare.get_or_insert_default().approved_until = until;
    }

    /// Whether it was approved too long ago.
    pub(crate) fn is_stale(&self) -> bool {
        let until = self.rare.as_ref().and_then(|rare| rare.approved_until);
        until.is_some_and(|until| tokio::time::Instant::now() >= until)
    }
}
