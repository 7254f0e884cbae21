//! A line of JSON for every decision.

use super::{ApprovalRequest, Decision, PermissionRequest, Rule};
use crate::event::Answerer;
use crate::identity::SessionInfo;
use serde::Serialize;
use std::fmt;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Where the lines go.
pub(crate) struct Audit(Mutex<Box<dyn Write + Send>>);

impl Audit {
    pub(crate) fn new(sink: impl Write + Send + 'static) -> Self {
        Self(Mutex::new(Box::new(sink)))
    }

    /// Writes one line. A failure is logged: no call waits for a full disk.
    pub(crate) fn write(&self, entry: &Entry<'_>) {
        let line = serde_json::to_vec(entry).map(|mut line| {
            line.push(b'\n');
            line
        });
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = line
            .map_err(std::io::Error::from)
            .and_then(|line| sink.write_all(&line).and_then(|()| sink.flush()));
        if let Err(error) = written {
            tracing::error!(%error, "a decision could not be written to the audit log");
        }
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Audit")
    }
}

/// One decision.
#[derive(Default, Serialize)]
pub(crate) struct Entry<'decision> {
    at: String,
    /// `judged`, `shadowed` or `answered`.
    event: &'static str,
    session: &'decision str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'decision str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'decision str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'decision str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'decision str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'decision str>,
    /// As JSON text, secret ones masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'decision str>,
    action: &'decision str,
    targets: &'decision [String],
    /// `allow`, `ask`, `deny`, an answer, or the kind of a refusal.
    verdict: &'decision str,
    reason: &'decision str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'decision Rule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'decision str>,
}

/// The call that a decision is about.
#[derive(Clone, Copy)]
pub(crate) struct AuditedCall<'decision> {
    pub(crate) id: &'decision str,
    pub(crate) tool: &'decision str,
    pub(crate) arguments: &'decision str,
}

impl<'decision> Entry<'decision> {
    /// What a policy said.
    pub(crate) fn judged(
        event: &'static str,
        call: Option<AuditedCall<'decision>>,
        wish: &PermissionRequest<'decision>,
        decision: &'decision Decision,
    ) -> Self {
        Self {
            call: call.map(|call| call.id),
            tool: call.map(|call| call.tool),
            arguments: call.map(|call| call.arguments),
            action: wish.action(),
            targets: wish.targets(),
            verdict: decision.verdict.as_str(),
            reason: &decision.reason,
            rule: decision.rule.as_ref(),
            ..Self::now(event, wish.session)
        }
    }

    /// What somebody answered.
    pub(crate) fn answered(
        request: &'decision ApprovalRequest,
        verdict: &'decision str,
        reason: &'decision str,
        by: &'decision Answerer,
    ) -> Self {
        Self {
            call: request.call_id(),
            tool: request.tool(),
            arguments: request.arguments(),
            action: request.permission().action(),
            targets: request.permission().targets(),
            verdict,
            reason,
            rule: by.rule(),
            by: by.name(),
            ..Self::now("answered", request.session())
        }
    }

    /// When, and for whom.
    fn now(event: &'static str, session: &'decision SessionInfo) -> Self {
        let subject = session.subject.as_ref();
        Self {
            at: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
            event,
            session: &session.id,
            agent: session.agent.as_deref(),
            user: subject.map(|subject| &*subject.user),
            platform: subject.and_then(|subject| subject.platform.as_deref()),
            ..Self::default()
        }
    }
}
