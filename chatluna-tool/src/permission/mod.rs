//! Who decides whether a call may run.
//!
//! A tool says what a call wants to do ([`Permission`]); the
//! [`PermissionPolicy`] answers allow, ask or deny ([`Verdict`]); an
//! [`Approver`] answers what has to be asked.

mod approver;
mod policy;
mod wildcard;

pub use approver::{AllowAll, Answer, ApprovalRequest, Approver, DenyAll};
pub(crate) use policy::{Decision, Judged};
pub use policy::{PermissionPolicy, Rule, Verdict};
pub(crate) use wildcard::matches;

use std::borrow::Cow;

/// What a call wants to do: an action, and what it does it to.
///
/// ```
/// use chatluna_tool::Permission;
///
/// let permission = Permission::new("deploy:run").target("staging");
/// assert_eq!(permission.action(), "deploy:run");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Permission {
    action: Cow<'static, str>,
    targets: Vec<String>,
}

impl Permission {
    /// An action without targets. By custom it reads `area:verb`.
    pub fn new(action: impl Into<Cow<'static, str>>) -> Self {
        Self {
            action: action.into(),
            targets: Vec::new(),
        }
    }

    /// Adds a target: a path, a host, an environment.
    ///
    /// With several targets one denied target denies the call, and only if
    /// all are allowed is it allowed without asking.
    pub fn target(mut self, target: impl Into<String>) -> Self {
        self.targets.push(target.into());
        self
    }

    /// The action.
    pub fn action(&self) -> &str {
        &self.action
    }

    /// The targets, in the order they were added.
    pub fn targets(&self) -> &[String] {
        &self.targets
    }
}
