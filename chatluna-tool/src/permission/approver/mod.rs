//! Who answers when the policy says ask.
//!
//! [`channel`] hands questions to another part of the program: a page, a bot, another task.
//! [`AllowAll`] and [`DenyAll`] ask nobody. Anything else implements [`Approver`].

mod channel;
#[cfg(feature = "terminal")]
mod terminal;

pub use channel::{ChannelApprover, Question, Questions, channel};
#[cfg(feature = "terminal")]
pub use terminal::{TerminalApprover, terminal};

use super::ApprovalRequest;
use crate::BoxFuture;
use serde_json::Value;
use std::sync::Arc;

/// The answer to an [`ApprovalRequest`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// Run this call.
    Once,
    /// Run this call with other arguments, a JSON object. They are read and judged as if the model
    /// had sent them, and what would be asked about counts as approved.
    Edited(Value),
    /// Run this call, and until the turn ends whatever wants to do the same for the same user and
    /// agent: the same action on the same targets. Where no turn is open it is
    /// [`Once`](Self::Once).
    Turn,
    /// Run this call, and as long as the session is open whatever wants to do the same for the same
    /// user and agent.
    Session,
    /// Run this call, and from now on whatever wants to do the same for the same user and agent. A
    /// [`GrantStore`](crate::GrantStore) keeps it.
    Always,
    /// Refuse this call; the model reads why.
    Reject(String),
    /// Refuse this call, and from now on whatever wants to do the same for the same user and agent.
    Never,
}

impl Answer {
    /// `once`, `edited`, `turn`, `session`, `always`, `reject` or `never`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Edited(_) => "edited",
            Self::Turn => "turn",
            Self::Session => "session",
            Self::Always => "always",
            Self::Reject(_) => "reject",
            Self::Never => "never",
        }
    }
}

/// Somebody who can say yes or no.
///
/// The questions of one step are asked together, in call order, and calls that could have run beside
/// the one in question go on meanwhile. Equal questions of a session are asked once. Dropping the
/// future withdraws the question: the call was cancelled, its time to be answered is over
/// ([`RuntimeBuilder::approval_timeout`]), or another answer has settled it. A panic refuses the
/// call.
///
/// Of a call at [`Risk::Critical`](crate::Risk) nothing is remembered, whatever the answer.
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
///
/// [`RuntimeBuilder::approval_timeout`]: crate::RuntimeBuilder::approval_timeout
pub trait Approver: Send + Sync + 'static {
    /// Answers one question.
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer>;

    /// What records of its answers call it.
    fn name(&self) -> &str {
        "approver"
    }
}

impl<A: Approver + ?Sized> Approver for Arc<A> {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        (**self).ask(request)
    }

    fn name(&self) -> &str {
        (**self).name()
    }
}

/// Says yes to everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowAll;

impl Approver for AllowAll {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async { Answer::Once })
    }

    fn name(&self) -> &str {
        "AllowAll"
    }
}

/// Says no to everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async {
            Answer::Reject(
                "the program refuses every call that needs an approval (`DenyAll`)".into(),
            )
        })
    }

    fn name(&self) -> &str {
        "DenyAll"
    }
}
