//! Who answers when the policy says ask.

use super::Permission;
use crate::BoxFuture;
use crate::arguments::masked;
use crate::context::CallContext;
use crate::identity::SessionInfo;
use crate::session::Session;
use std::borrow::Cow;
use std::sync::Arc;

/// The answer to an [`ApprovalRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Run this call.
    Once,
    /// Refuse this call; the model reads why.
    Reject(String),
}

/// A call, or a wish of the host program, that waits for an answer.
#[derive(Clone, Debug)]
pub struct ApprovalRequest {
    session: Session,
    call: Option<CallContext>,
    /// The arguments, where they are not to be shown as they came.
    masked: Option<String>,
    permission: Permission,
    reason: Cow<'static, str>,
}

impl ApprovalRequest {
    pub(crate) fn of_call(
        call: &CallContext,
        permission: Permission,
        reason: Cow<'static, str>,
    ) -> Self {
        Self {
            call: Some(call.clone()),
            masked: masked(call.arguments(), call.definition().rows()),
            ..Self::of_session(call.session_handle(), permission, reason)
        }
    }

    pub(crate) fn of_session(
        session: &Session,
        permission: Permission,
        reason: Cow<'static, str>,
    ) -> Self {
        Self {
            session: session.clone(),
            call: None,
            masked: None,
            permission,
            reason,
        }
    }

    pub(crate) fn call(&self) -> Option<&CallContext> {
        self.call.as_ref()
    }

    /// The id of the call; `None` for [`Session::authorize`].
    pub fn call_id(&self) -> Option<&str> {
        self.call.as_ref().map(CallContext::id)
    }

    /// The name of the tool.
    pub fn tool(&self) -> Option<&str> {
        self.call.as_ref().map(CallContext::name)
    }

    /// The arguments, as the JSON text that the model sent; `***` is the value of a secret one.
    pub fn arguments(&self) -> Option<&str> {
        let sent = self.call.as_ref().map(|call| call.arguments().text());
        self.masked.as_deref().or(sent)
    }

    /// Who asks.
    pub fn session(&self) -> &SessionInfo {
        self.session.info()
    }

    /// What it wants to do.
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
/// The questions of one step are asked together, in call order; where a `yes` cannot say which
/// question it answers, as in a chat, ask one at a time (the example `bot_approval` does). Dropping
/// the future withdraws the question; a panic in it refuses the call.
///
/// There is no time limit: while an answer is missing, its step waits. An approver that may never
/// hear back limits itself, and answers [`Answer::Reject`].
///
/// ```
/// use chatluna_tool::{Answer, ApprovalRequest, Approver, BoxFuture};
///
/// /// Trusts one user with everything.
/// struct Trusting(String);
///
/// impl Approver for Trusting {
///     fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
///         Box::pin(async move {
///             match &request.session().subject {
///                 Some(subject) if subject.user == self.0 => Answer::Once,
///                 _ => Answer::Reject(format!("only {} may do that", self.0)),
///             }
///         })
///     }
/// }
/// # let _ = chatluna_tool::Runtime::builder().approver(Trusting("li".to_owned()));
/// ```
pub trait Approver: Send + Sync + 'static {
    /// Answers one question.
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer>;
}

impl<A: Approver + ?Sized> Approver for Arc<A> {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        (**self).ask(request)
    }
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
