//! Who decides about the calls of the command line.

use super::{Usage, read};
use crate::identity::SessionInfo;
use crate::output::OutputCap;
use crate::permission::{AllowAll, Approver, PermissionPolicy, approver};
use crate::runtime::{Overrides, Runtime};
use crate::session::Session;
use clap::Args;
use std::sync::Arc;

/// The flags of `call` and `turn`.
#[derive(Args, Default)]
pub(super) struct Judging {
    /// Approve what the policy asks about
    #[arg(long, global = true, conflicts_with = "ask")]
    yes: bool,
    /// Ask on the terminal about what the policy asks about
    #[arg(long, global = true)]
    pub(super) ask: bool,
    /// Judge by the policy in this file, TOML or JSON, instead of the program's
    #[arg(long, global = true, value_name = "FILE")]
    policy: Option<String>,
    /// Log where the policy in this file would have decided otherwise
    #[arg(long, global = true, value_name = "FILE")]
    shadow_policy: Option<String>,
}

impl Judging {
    /// The session of a model's reply.
    pub(super) fn session(&self, runtime: &Runtime) -> Result<Session, Usage> {
        self.session_with(runtime, None)
    }

    /// The session of a call by a person, who has no `read_output` to read on with.
    pub(super) fn session_of_person(&self, runtime: &Runtime) -> Result<Session, Usage> {
        self.session_with(runtime, Some(OutputCap::NONE))
    }

    fn session_with(&self, runtime: &Runtime, cap: Option<OutputCap>) -> Result<Session, Usage> {
        let overrides = Overrides {
            output_cap: cap,
            approver: self.approver(),
            policy: self.policy.as_deref().map(policy).transpose()?,
            shadow_policy: self.shadow_policy.as_deref().map(policy).transpose()?,
        };
        Ok(runtime.session_with(SessionInfo::new("cli"), overrides))
    }

    fn approver(&self) -> Option<Arc<dyn Approver>> {
        if self.yes {
            return Some(Arc::new(AllowAll));
        }
        self.ask
            .then(|| Arc::new(approver::terminal()) as Arc<dyn Approver>)
    }
}

/// The policy in a file, as JSON where it is named so.
pub(super) fn policy(file: &str) -> Result<PermissionPolicy, Usage> {
    let text = read(file)?;
    let is_json = text.trim_start().starts_with('{');
    let policy: Result<PermissionPolicy, String> = if is_json {
        serde_json::from_str(&text).map_err(|error| error.to_string())
    } else {
        toml::from_str(&text).map_err(|error| error.to_string())
    };
    let policy = policy.map_err(|error| format!("`{file}` is no policy: {error}"))?;
    if policy.has_bare_allow() {
        return Err(Usage(format!(
            "`{file}`: a rule allows `*`, which is everything; say `mode = \"allow\"`, narrow it, or give it \
             `unsafe_allow_all = true`"
        )));
    }
    Ok(policy)
}
