//! The tools of a program and what all sessions share.

use crate::background::Ledger;
use crate::builtin;
use crate::catalogue::Catalogue;
use crate::event::Event;
use crate::executor::Executor;
use crate::identity::SessionInfo;
use crate::output::{OutputCap, Outputs};
use crate::owner::Owner;
use crate::permission::{
    Approver, Audit, GrantStore, MemoryGrants, PermissionPolicy, PolicyLint, Rule,
};
use crate::registry::Registry;
use crate::report::Report;
use crate::runtime_builder::RuntimeBuilder;
use crate::search::{Learned, Retriever};
use crate::session::{Appended, Session, Shared};
use crate::state::States;
use crate::visibility::{FilterLint, ToolFilter};
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::time::Duration;

/// The tools of a program, ready to be called. Cheap to clone.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

/// What the builder makes a runtime of.
pub(crate) struct Parts {
    pub(crate) policy: PermissionPolicy,
    /// Whether a policy or an approver was given.
    pub(crate) has_policy: bool,
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
    pub(crate) retrievers: Vec<Arc<dyn Retriever>>,
    pub(crate) ledger: Ledger,
    pub(crate) outputs: Outputs,
    pub(crate) traces_arguments: bool,
    pub(crate) learns: bool,
    pub(crate) learned: Learned,
}

/// What a session has in place of the runtime's own.
#[derive(Clone, Default)]
pub(crate) struct Overrides {
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) policy: Option<PermissionPolicy>,
    pub(crate) shadow_policy: Option<PermissionPolicy>,
    /// Also in place of what the tool says.
    pub(crate) output_cap: Option<OutputCap>,
}

struct Inner {
    parts: Parts,
    /// What tools there are now.
    catalogue: RwLock<Arc<Catalogue>>,
    /// Held while a change of it is made, so that changes come one after the other.
    changing: Mutex<()>,
    next_filter: AtomicU64,
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
    fn has(&self, id: &str) -> bool {
        let shared = self.by_id.get(id);
        shared.is_some_and(|shared| shared.strong_count() > 0)
    }

    fn open(&mut self, id: &str, make: impl FnOnce() -> Shared) -> Arc<Shared> {
        if let Some(shared) = self.by_id.get(id).and_then(Weak::upgrade) {
            return shared;
        }
        // Now and then, so that each session pays a constant.
        if self.by_id.len() >= self.limit {
            self.by_id.retain(|_, session| session.strong_count() > 0);
            self.limit = 2 * self.by_id.len() + 16;
        }
        let shared = Arc::new(make());
        self.by_id.insert(id.to_owned(), Arc::downgrade(&shared));
        shared
    }
}

impl Runtime {
    pub(crate) fn new(parts: Parts, catalogue: Catalogue) -> Self {
        Self(Arc::new(Inner {
            parts,
            catalogue: RwLock::new(Arc::new(catalogue)),
            changing: Mutex::default(),
            next_filter: AtomicU64::new(1),
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
        for filter in &info.filters {
            self.warn_of(filter, &info);
        }
        let make = || {
            let loaded = self.ledger().loaded(&info.id);
            self.shared(loaded.map(Appended::kept))
        };
        let shared = self.sessions().open(&info.id, make);
        Session::new(self.clone(), info, overrides, shared, None)
    }

    /// Opens a session for a sub-agent, under an id that no open session has.
    pub(crate) fn child_of(&self, parent: &Session, mut info: SessionInfo) -> Session {
        let mut sessions = self.sessions();
        let ids = (1..).map(|number: u64| format!("{}/{number}", parent.info().id));
        info.id = ids
            .into_iter()
            .find(|id| !sessions.has(id))
            .unwrap_or_default();
        // Its id may be that of one before, of which it knows nothing.
        let shared = sessions.open(&info.id, || self.shared(None));
        drop(sessions);
        let overrides = parent.overrides().clone();
        Session::new(self.clone(), info, overrides, shared, Some(parent.clone()))
    }

    fn shared(&self, appended: Option<Appended>) -> Shared {
        Shared::new(self.0.parts.max_concurrency, appended.unwrap_or_default())
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.0
            .sessions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs the entries of a session's filter that match no tool.
    pub(crate) fn warn_of(&self, filter: &ToolFilter, info: &SessionInfo) {
        let catalogue = self.catalogue();
        let tools = catalogue
            .registries
            .of(info.agent.as_deref())
            .tools()
            .iter();
        let names = tools.map(|tool| tool.definition().name());
        for pattern in filter.unmatched(names.chain(builtin::NAMES)) {
            tracing::warn!(session = %info.id, pattern, "an entry of a filter matches no tool");
        }
    }

    /// Everybody's tools as they are now, visible or not.
    pub fn registry(&self) -> Arc<Registry> {
        Arc::clone(self.catalogue().registries.of(None))
    }

    /// What there is of all owners, from where, and what is questionable about it, about the filters
    /// and about the policy.
    pub fn report(&self) -> Report {
        let catalogue = self.catalogue();
        let owners = catalogue.registries.owners();
        let of_owner =
            |(owner, registry): (Owner, &Arc<Registry>)| Report::of(&owner, registry.tools());
        Report {
            policy: self.policy_lints(),
            filters: self.filter_lints(),
            damage: self.ledger().damage().to_vec(),
            ..owners.map(of_owner).fold(Report::default(), Report::and)
        }
    }

    /// What searches have taught so far, with what the builder was given: by the name of a tool, the
    /// queries that led to it, the oldest first; at most five a tool, of at most 500 bytes each. Empty
    /// at first.
    ///
    /// The texts are what models wrote in any session. For
    /// [`RuntimeBuilder::learned`](crate::RuntimeBuilder::learned) of the next process, where
    /// [`learn_from_searches`](crate::RuntimeBuilder::learn_from_searches) has an example.
    pub fn learned(&self) -> BTreeMap<String, Vec<String>> {
        self.learned_examples().all()
    }

    pub(crate) fn policy_lints(&self) -> Vec<PolicyLint> {
        self.lints_of(&self.0.parts.policy)
    }

    pub(crate) fn filter_lints(&self) -> Vec<FilterLint> {
        self.catalogue().lints(&builtin::NAMES)
    }

    /// What is questionable about a policy for these tools.
    pub(crate) fn lints_of(&self, policy: &PermissionPolicy) -> Vec<PolicyLint> {
        let catalogue = self.catalogue();
        let tools = catalogue.registries.all_of(None);
        let names = tools.map(|tool| tool.definition().name());
        policy.lints(names.chain(builtin::NAMES))
    }

    /// What is known about tools now.
    #[inline]
    pub(crate) fn catalogue(&self) -> Arc<Catalogue> {
        let current = self.0.catalogue.read();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes what is known about tools, and tells the sessions.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Catalogue) -> T) -> T {
        let made = self.try_change(|catalogue| Ok::<_, Infallible>(change(catalogue)));
        made.unwrap_or_else(|never| match never {})
    }

    /// The same, for a change that may come to nothing.
    pub(crate) fn try_change<T, E>(
        &self,
        change: impl FnOnce(&mut Catalogue) -> Result<T, E>,
    ) -> Result<T, E> {
        let changing = self.0.changing.lock();
        let _changing = changing.unwrap_or_else(PoisonError::into_inner);
        // Tools are asked for their definitions here: nothing that they may need is locked.
        let mut next = Catalogue::clone(&self.catalogue());
        let made = change(&mut next)?;
        let old = self.replace(Arc::new(next));
        drop(_changing);
        drop(old);
        self.tell(&Event::ToolsChanged);
        Ok(made)
    }

    fn replace(&self, next: Arc<Catalogue>) -> Arc<Catalogue> {
        let current = self.0.catalogue.write();
        std::mem::replace(&mut *current.unwrap_or_else(PoisonError::into_inner), next)
    }

    /// Tells whoever listens to a session.
    fn tell(&self, event: &Event) {
        for shared in self.sessions().by_id.values().filter_map(Weak::upgrade) {
            shared.tell(event);
        }
    }

    pub(crate) fn next_filter(&self) -> u64 {
        self.0.next_filter.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether a policy or an approver decides about effects.
    pub(crate) fn has_policy(&self) -> bool {
        self.0.parts.has_policy
    }

    pub(crate) fn downgrade(&self) -> WeakRuntime {
        WeakRuntime(Arc::downgrade(&self.0))
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

    /// Whether searches teach.
    #[inline]
    pub(crate) fn learns(&self) -> bool {
        self.0.parts.learns
    }

    pub(crate) fn learned_examples(&self) -> &Learned {
        &self.0.parts.learned
    }

    pub(crate) fn executor(&self) -> &dyn Executor {
        &*self.0.parts.executor
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.0.parts.ledger
    }
}

/// A runtime that whoever holds this does not keep alive.
pub(crate) struct WeakRuntime(Weak<Inner>);

impl WeakRuntime {
    pub(crate) fn upgrade(&self) -> Option<Runtime> {
        self.0.upgrade().map(Runtime)
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registry = self.registry();
        let tools = registry.tools().iter();
        let names: Vec<&str> = tools.map(|tool| tool.definition().name()).collect();
        f.debug_struct("Runtime")
            .field("tools", &names)
            .finish_non_exhaustive()
    }
}
