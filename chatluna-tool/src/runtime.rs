//! The tools of a program and what all sessions share.

use crate::background::Ledger;
use crate::builtin;
use crate::executor::Executor;
use crate::identity::SessionInfo;
use crate::output::{OutputCap, Outputs};
use crate::permission::{
    Approver, Audit, GrantStore, MemoryGrants, PermissionPolicy, PolicyLint, Rule,
};
use crate::registry::Registry;
use crate::report::Report;
use crate::runtime_builder::RuntimeBuilder;
use crate::session::{Session, Shared};
use crate::state::States;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

/// The tools of a program, ready to be called. Cheap to clone.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

/// What the builder makes a runtime of.
pub(crate) struct Parts {
    pub(crate) registry: Registry,
    pub(crate) policy: PermissionPolicy,
    pub(crate) shadow_policy: Option<PermissionPolicy>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) approval_timeout: Duration,
    pub(crate) grants: Option<Arc<dyn GrantStore>>,
    pub(crate) audit: Option<Audit>,
    pub(crate) states: States,
    pub(crate) default_timeout: Duration,
    pub(crate) max_concurrency: usize,
    pub(crate) output_cap: OutputCap,
    pub(crate) executor: Arc<dyn Executor>,
    pub(crate) ledger: Ledger,
    pub(crate) outputs: Outputs,
    pub(crate) traces_arguments: bool,
}

/// What a session has in place of the runtime's own.
#[derive(Default)]
pub(crate) struct Overrides {
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) policy: Option<PermissionPolicy>,
    pub(crate) shadow_policy: Option<PermissionPolicy>,
    /// Also in place of what the tool says.
    pub(crate) output_cap: Option<OutputCap>,
}

struct Inner {
    parts: Parts,
    /// Made with the first answer that is to be kept, where the program brings no store.
    own_grants: OnceLock<MemoryGrants>,
    /// What the open sessions share, by id.
    sessions: Mutex<Sessions>,
}

#[derive(Default)]
struct Sessions {
    by_id: HashMap<String, Weak<Shared>>,
    /// How many there may be before those that ended are removed.
    limit: usize,
}

impl Sessions {
    fn open(&mut self, id: &str, max_concurrency: usize) -> Arc<Shared> {
        if let Some(shared) = self.by_id.get(id).and_then(Weak::upgrade) {
            return shared;
        }
        // Now and then, so that each session pays a constant.
        if self.by_id.len() >= self.limit {
            self.by_id.retain(|_, session| session.strong_count() > 0);
            self.limit = 2 * self.by_id.len() + 16;
        }
        let shared = Arc::new(Shared::new(max_concurrency));
        self.by_id.insert(id.to_owned(), Arc::downgrade(&shared));
        shared
    }
}

impl Runtime {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            parts,
            own_grants: OnceLock::new(),
            sessions: Mutex::default(),
        }))
    }

    /// Starts a runtime without tools.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    /// Opens a session. With the id of one that is in use it gives another handle of that one:
    /// the turn and the order of calls are shared, the info and its state are each handle's own. It
    /// is in use as long as a handle lives.
    pub fn session(&self, info: SessionInfo) -> Session {
        self.session_with(info, Overrides::default())
    }

    /// Opens a session about which others decide than about the runtime's.
    pub(crate) fn session_with(&self, info: SessionInfo, overrides: Overrides) -> Session {
        let sessions = self.0.sessions.lock();
        let shared = sessions
            .unwrap_or_else(PoisonError::into_inner)
            .open(&info.id, self.0.parts.max_concurrency);
        Session::new(self.clone(), info, overrides, shared)
    }

    /// All tools, visible or not.
    pub fn registry(&self) -> &Registry {
        &self.0.parts.registry
    }

    /// What there is, from where, and what is questionable about it and about the policy.
    pub fn report(&self) -> Report {
        let policy = self.policy_lints();
        Report {
            policy,
            damage: self.ledger().damage().to_vec(),
            ..self.registry().report()
        }
    }

    pub(crate) fn policy_lints(&self) -> Vec<PolicyLint> {
        self.lints_of(&self.0.parts.policy)
    }

    /// What is questionable about a policy for these tools.
    pub(crate) fn lints_of(&self, policy: &PermissionPolicy) -> Vec<PolicyLint> {
        let tools = self.registry().tools().iter();
        let names = tools.map(|tool| tool.definition().name());
        policy.lints(names.chain(builtin::NAMES))
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0.parts
    }

    /// Where answers are kept.
    pub(crate) fn grants(&self) -> &dyn GrantStore {
        match &self.0.parts.grants {
            Some(grants) => grants,
            None => self.0.own_grants.get_or_init(MemoryGrants::default),
        }
    }

    /// Whether answers can have been kept.
    pub(crate) fn keeps_answers(&self) -> bool {
        self.0.parts.grants.is_some() || self.0.own_grants.get().is_some()
    }

    /// The answers that are kept, if there can be any.
    pub(crate) fn kept_answers(&self) -> Option<Arc<[Rule]>> {
        match &self.0.parts.grants {
            Some(grants) => Some(grants.rules()),
            None => self.0.own_grants.get().map(MemoryGrants::rules),
        }
    }

    /// The outputs that were too long for a model.
    pub(crate) fn outputs(&self) -> &Outputs {
        &self.0.parts.outputs
    }

    pub(crate) fn states(&self) -> &States {
        &self.0.parts.states
    }

    pub(crate) fn default_timeout(&self) -> Duration {
        self.0.parts.default_timeout
    }

    pub(crate) fn max_concurrency(&self) -> usize {
        self.0.parts.max_concurrency
    }

    pub(crate) fn traces_arguments(&self) -> bool {
        self.0.parts.traces_arguments
    }

    pub(crate) fn executor(&self) -> &dyn Executor {
        &*self.0.parts.executor
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.0.parts.ledger
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = self.registry().tools().iter();
        let names: Vec<&str> = tools.map(|tool| tool.definition().name()).collect();
        f.debug_struct("Runtime")
            .field("tools", &names)
            .finish_non_exhaustive()
    }
}
