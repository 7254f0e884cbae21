//! Who answers when the policy says ask.

use super::Permission;
use crate::BoxFuture;
use crate::context::CallContext;
use std::borrow::Cow;

/// The answer to an [`ApprovalRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Run this call.
    Once,
    /// Refuse this call; the model reads why.
    Reject(String),
}

/// A call that waits for an answer.
#[derive(Clone, Debug)]
pub struct ApprovalRequest {
    call: CallContext,
    permission: Permission,
    reason: Cow<'static, str>,
}

impl ApprovalRequest {
    pub(crate) fn new(
        call: &CallContext,
        permission: Permission,
        reason: Cow<'static, str>,
    ) -> Self {
        Self {
            call: call.clone(),
            permission,
            reason,
        }
    }

    /// The id of the call.
    pub fn call_id(&self) -> &str {
        self.call.id()
    }

    /// The name of the tool.
    pub fn tool(&self) -> &str {
        self.call.name()
    }

    /// The arguments, as the JSON text that the model sent.
    pub fn arguments(&self) -> &str {
        self.call.arguments().text()
    }

    /// Whose call it is.
    pub fn session(&self) -> &crate::SessionInfo {
        self.call.session()
    }

    /// What the call wants to do.
    pub fn permission(&self) -> &Permission {
        &self.permission
    }

    /// Why it asks: the deciding rule, or what the tool gave to [`CallContext::ask`].
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

/// Somebody who can say yes or no.
///
/// The questions of one step are asked together, in call order. Dropping the future withdraws the
/// question; a panic in it is a refusal.
pub trait Approver: Send + Sync + 'static {
    /// Answers one question.
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer>;
}

/// Says yes to everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowAll;

impl Approver for AllowAll {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async { Answer::Once })
    }
}

/// Says no to everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async {
            Answer::Reject("the program refuses every call that needs an approval".into())
        })
    }
}
