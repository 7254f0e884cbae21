//! Who decides whether a call may run.
//!
//! A tool says what a call wants to do ([`Permission`]); the
//! [`PermissionPolicy`] answers allow, ask or deny ([`Verdict`]); an
//! [`Approver`] answers what has to be asked, and the answer may be
//! remembered ([`GrantStore`]).

pub mod approver;
mod audit;
mod explain;
mod format;
mod grant;
#[cfg(feature = "toml")]
mod grant_disk;
#[cfg(feature = "toml")]
mod grant_file;
#[cfg(feature = "toml")]
mod grant_text;
mod lint;
mod memory;
mod mode;
mod pattern;
mod pending;
mod policy;
mod request;
mod rule;
mod wish;

pub use approver::{AllowAll, Answer, Approver, DenyAll};
pub(crate) use audit::{Audit, AuditedCall, Entry};
pub use explain::{Decision, Explanation};
pub use grant::{GrantError, GrantStore, MemoryGrants};
#[cfg(feature = "toml")]
pub use grant_file::FileGrants;
pub use lint::PolicyLint;
pub(crate) use memory::{Memory, Remembered, Scope, of_answer};
pub use mode::PermissionMode;
pub(crate) use pattern::Pattern;
pub use pending::PendingApproval;
pub(crate) use pending::{Answered, Pending};
pub use policy::PermissionPolicy;
pub(crate) use policy::Ruling;
pub use request::ApprovalRequest;
pub use rule::{Rule, Verdict, Who};
pub use wish::PermissionRequest;

use std::borrow::Cow;

/// How much is at stake, as far as the tool can tell.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Risk {
    /// No more than the tool's effect says.
    #[default]
    Normal,
    /// Asked about unless a rule allows it.
    Dangerous,
    /// Asked about unless a rule denies it, each time: no answer is remembered.
    Critical,
}

/// What a call wants to do: an action, what it does it to, and how much is at stake.
///
/// ```
/// use chatluna_tool::{Permission, Risk};
///
/// let permission = Permission::new("deploy:run").target("prod").risk(Risk::Dangerous);
/// assert_eq!(permission.action(), "deploy:run");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Permission {
    action: Cow<'static, str>,
    targets: Vec<String>,
    risk: Risk,
}

impl Permission {
    /// An action without targets. By custom it reads `area:verb`.
    pub fn new(action: impl Into<Cow<'static, str>>) -> Self {
        Self {
            action: action.into(),
            targets: Vec::new(),
            risk: Risk::Normal,
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

    /// Says how much is at stake.
    pub fn risk(mut self, risk: Risk) -> Self {
        self.risk = risk;
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
