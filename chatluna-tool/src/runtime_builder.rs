//! What a program sets up once, and the checks at start-up.

use crate::background::{DEFAULT_TASK_RETENTION, Ledger};
use crate::build_error::{BuildError, Fault};
use crate::catalogue::Catalogue;
use crate::executor::{Executor, LocalExecutor};
use crate::narrowing::{Candidate, Narrowing};
use crate::nearest::nearest;
#[cfg(feature = "store")]
use crate::output::OutputFolder;
use crate::output::{OutputCap, Outputs};
use crate::permission::{Approver, Audit, GrantStore, Pattern, PermissionPolicy};
use crate::registry::{LinkedTool, Registry, ToolRegistration};
use crate::runtime::{Parts, Runtime};
use crate::search::{Learned, Retriever};
use crate::state::{Provided, State, States};
use crate::tool::Tool;
use crate::tool_checks::{by_name, check_effects, check_made_by_hand, check_names};
use crate::tool_mode::ToolMode;
use crate::visibility::ToolFilter;
use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::num::NonZeroUsize;
#[cfg(feature = "store")]
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a call may take when neither its tool nor the builder says: 180 s.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(180);

/// How long a question waits for its answer when the builder does not say: one hour.
pub const DEFAULT_APPROVAL_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// How many parallel calls of a session run at once when the builder does not say.
pub const DEFAULT_MAX_CONCURRENCY: usize = 16;

/// Collects what a [`Runtime`] needs; [`build`](Self::build) checks it.
///
/// ```standalone_crate
/// use chatluna_tool::{Runtime, SessionInfo, tool};
///
/// /// Adds two numbers
/// #[tool(traits(effect = "read"))]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), chatluna_tool::BuildError> {
/// let runtime = Runtime::builder().collect().build()?;
/// let session = runtime.session(SessionInfo::new("demo"));
/// let sum = session.call("add", r#"{"a": 20, "b": 22}"#).await;
/// assert_eq!(sum.text(), "42");
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
#[must_use]
pub struct RuntimeBuilder {
    collect: bool,
    named: Vec<&'static ToolRegistration>,
    expected: Vec<String>,
    narrowing: Narrowing,
    tools: Vec<Arc<dyn Tool>>,
    policy: Option<PermissionPolicy>,
    shadow_policy: Option<PermissionPolicy>,
    approver: Option<Arc<dyn Approver>>,
    approval_timeout: Option<Duration>,
    grants: Option<Arc<dyn GrantStore>>,
    audit: Option<Audit>,
    states: States,
    promised: Vec<TypeId>,
    default_timeout: Option<Duration>,
    max_concurrency: Option<NonZeroUsize>,
    output_cap: OutputCap,
    filters: Vec<(Option<String>, ToolFilter)>,
    tool_mode: ToolMode,
    executor: Option<Arc<dyn Executor>>,
    retrievers: Vec<Arc<dyn Retriever>>,
    task_retention: Option<Duration>,
    #[cfg(feature = "store")]
    data_dir: Option<PathBuf>,
    traces_arguments: bool,
    learns: bool,
    learned: BTreeMap<String, Vec<String>>,
}

impl fmt::Debug for RuntimeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeBuilder")
            .field("collect", &self.collect)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl RuntimeBuilder {
    /// Takes every `#[tool]` that is linked into the program.
    #[cfg(any(feature = "inventory", feature = "linkme"))]
    pub fn collect(mut self) -> Self {
        self.collect = true;
        self
    }

    /// Takes annotated tools that are named one by one: `tools![weather, math::add]`.
    ///
    /// They are linked tools in all that follows, and a tool that `collect` finds too is taken once.
    pub fn tools(mut self, tools: impl IntoIterator<Item = &'static ToolRegistration>) -> Self {
        self.named.extend(tools);
        self
    }

    /// Makes it a fault when one of these names is not there in the end, as when its crate was not
    /// linked.
    pub fn expect_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.expected.extend(names.into_iter().map(Into::into));
        self
    }

    /// Of the linked tools, keeps those whose name matches a pattern (`*` any characters, `?` one).
    pub fn only<P: Into<String>>(mut self, patterns: impl IntoIterator<Item = P>) -> Self {
        let patterns = patterns.into_iter().map(Into::into);
        let patterns = patterns.map(|pattern: String| Pattern::new(pattern));
        self.narrowing.only.get_or_insert_default().extend(patterns);
        self
    }

    /// Leaves out linked tools whose name matches the pattern.
    pub fn without(mut self, pattern: impl Into<String>) -> Self {
        self.narrowing.without.push(Pattern::new(pattern.into()));
        self
    }

    /// Leaves out the linked tools of a crate.
    pub fn without_crate(mut self, name: impl Into<String>) -> Self {
        self.narrowing.without_crates.push(name.into());
        self
    }

    /// Gives the linked tool whose function is at `path` (`my_crate::tools::weather`) another name.
    pub fn rename(mut self, path: impl Into<String>, name: impl Into<String>) -> Self {
        self.narrowing.renames.push((path.into(), name.into()));
        self
    }

    /// Puts `prefix` and `_` before the names of a crate's linked tools.
    pub fn prefix_crate(mut self, name: impl Into<String>, prefix: impl Into<String>) -> Self {
        self.narrowing.prefixes.push((name.into(), prefix.into()));
        self
    }

    /// Adds one tool that is not linked: a [`FnTool`](crate::FnTool) or a [`Tool`] of yours.
    pub fn tool(mut self, tool: impl Tool) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// Provides a value that tools take as `&T`. An `Arc<T>` serves `&T` too.
    pub fn state<T: State>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// Announces that every session brings a value of type `T`.
    pub fn session_state<T: State>(mut self) -> Self {
        self.promised.push(TypeId::of::<T>());
        self
    }

    /// Sets who decides about effects.
    pub fn policy(mut self, policy: PermissionPolicy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Sets who answers when the policy says ask.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Sets how long a question may wait for its answer, and how long an approval is good for before
    /// its call begins. At first [`DEFAULT_APPROVAL_TIMEOUT`].
    pub fn approval_timeout(mut self, timeout: Duration) -> Self {
        self.approval_timeout = Some(timeout);
        self
    }

    /// Sets where the answers [`Always`](crate::Answer::Always) and [`Never`](crate::Answer::Never)
    /// are kept. At first a [`MemoryGrants`](crate::MemoryGrants).
    pub fn grants(mut self, store: impl GrantStore) -> Self {
        self.grants = Some(Arc::new(store));
        self
    }

    /// Judges by another policy too, which decides nothing: where it says otherwise than the policy
    /// in force, that is logged, told to listeners ([`EventKind::Shadowed`]) and put into the audit
    /// log. A way to try a policy before it counts.
    ///
    /// [`EventKind::Shadowed`]: crate::EventKind::Shadowed
    pub fn shadow_policy(mut self, policy: PermissionPolicy) -> Self {
        self.shadow_policy = Some(policy);
        self
    }

    /// Writes a line of JSON for every decision: who wanted what, what the policy said by which rule,
    /// who answered what. Secret arguments are masked. Each line is flushed before the call goes on.
    pub fn audit(mut self, sink: impl Write + Send + 'static) -> Self {
        self.audit = Some(Audit::new(sink));
        self
    }

    /// Sets how long a call may take when its tool does not say. At first [`DEFAULT_TIMEOUT`].
    pub fn default_timeout(mut self, timeout: Duration) -> Self {
        self.default_timeout = Some(timeout);
        self
    }

    /// Sets how many parallel calls of one session run at once. At first
    /// [`DEFAULT_MAX_CONCURRENCY`].
    ///
    /// Calls that a tool makes run in its place and do not count.
    pub fn max_concurrency(mut self, calls: NonZeroUsize) -> Self {
        self.max_concurrency = Some(calls);
        self
    }

    /// Sets how much of one result a model gets when the tool does not say. At first 50 KiB or 2,000
    /// lines.
    ///
    /// The whole of a longer result is kept in memory, where the model reads on with the built-in
    /// tool `read_output`: up to 256 MiB in all, of which the oldest is forgotten first. In a folder
    /// of its own (`data_dir`, feature `store`) the runtime keeps all of them, for as long as tasks
    /// are known; what memory has forgotten is read from there.
    pub fn output_cap(mut self, cap: OutputCap) -> Self {
        self.output_cap = cap;
        self
    }

    /// Narrows what all sessions see. Several filters add up: a tool has to get through each.
    ///
    /// An entry that matches no tool is logged as a warning and listed by [`Runtime::report`].
    pub fn filter(mut self, filter: ToolFilter) -> Self {
        self.filters.push((None, filter));
        self
    }

    /// Narrows what the sessions of an agent see, those that
    /// [`SessionInfo::agent`](crate::SessionInfo::agent) names.
    pub fn agent_filter(mut self, agent: impl Into<String>, filter: ToolFilter) -> Self {
        self.filters.push((Some(agent.into()), filter));
        self
    }

    /// Sets whether models are told of tools at once or find them with `tool_search`, where neither a
    /// tool nor its session says. At first [`ToolMode::Direct`].
    pub fn tool_mode(mut self, mode: ToolMode) -> Self {
        self.tool_mode = mode;
        self
    }

    /// Learns which tools models meant: a query of `tool_search` that led to one tool becomes an example
    /// of it, and later queries like it find the tool more surely. At first nothing is learned.
    ///
    /// A query has led to a tool once a call of it has succeeded before the session searches again, in
    /// which no other tool that the query found was called; with the call of a second one it is taken
    /// back. Of several queries of one search the one counts that found the tool best. Of a tool the
    /// newest five queries are kept, the first 500 bytes of each; `select:` and the program's own calls
    /// teach nothing.
    ///
    /// What is learned in one session moves the ranking of all others. No session is shown a query of
    /// another one, nor a tool that it does not see, but which tools come first can tell what others
    /// have asked for: do not switch it on where sessions must know nothing of each other.
    ///
    /// It is kept in memory: [`Runtime::learned`] gives it out, [`learned`](Self::learned) takes it back.
    ///
    /// ```
    /// use chatluna_tool::{Runtime, SessionInfo, ToolCall, ToolMode, tool, tools};
    ///
    /// /// Tells the weather
    /// #[tool(traits(effect = "read"))]
    /// async fn forecast() {}
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), chatluna_tool::BuildError> {
    /// let builder = || Runtime::builder().tools(tools![forecast]).tool_mode(ToolMode::Search);
    /// let runtime = builder().learn_from_searches().build()?;
    /// let session = runtime.session(SessionInfo::new("s"));
    /// let query = r#"{"queries": ["weather for my picnic"]}"#;
    /// session.execute([ToolCall::new("tool_search", query)]).await;
    /// session.execute([ToolCall::new("forecast", "{}")]).await;
    /// assert_eq!(runtime.learned()["forecast"], ["weather for my picnic"]);
    ///
    /// // The next process knows it.
    /// let next = builder().learned(runtime.learned()).build()?;
    /// let found = next.session(SessionInfo::new("t")).search("a picnic", 5).await;
    /// assert_eq!(found[0].name(), "forecast");
    /// # Ok(())
    /// # }
    /// ```
    pub fn learn_from_searches(mut self) -> Self {
        self.learns = true;
        self
    }

    /// Gives the runtime what was learned before ([`Runtime::learned`]), or examples of yours: by the
    /// name of a tool, queries that are meant for it, the oldest first. Searches rank by them also
    /// where nothing more is learned.
    ///
    /// Of a tool the last five different ones count, the first 500 bytes of each. A name that no tool
    /// has waits for one that comes. A second call replaces the first.
    pub fn learned(mut self, examples: BTreeMap<String, Vec<String>>) -> Self {
        self.learned = examples;
        self
    }

    /// Adds who ranks tools for `tool_search` and [`Session::search`](crate::Session::search) beside the
    /// search by words, by embeddings for instance. Each that is given ranks in every search.
    pub fn retriever(mut self, retriever: impl Retriever) -> Self {
        self.retrievers.push(Arc::new(retriever));
        self
    }

    /// Puts the arguments of calls into their tracing spans (`gen_ai.tool.call.arguments`), but for
    /// secret ones. At first they are left out.
    pub fn trace_arguments(mut self) -> Self {
        self.traces_arguments = true;
        self
    }

    /// Sets who drives the calls that are not ready at once. At first a [`LocalExecutor`].
    pub fn executor(mut self, executor: impl Executor) -> Self {
        self.executor = Some(Arc::new(executor));
        self
    }

    /// Sets how long a task is known after its end, with its result and its notice, also where nobody
    /// has read them. At first [`DEFAULT_TASK_RETENTION`].
    ///
    /// It is looked at when a task ends, for all sessions once an hour. With a `data_dir`, outputs
    /// that were cut are kept for as long, read or not.
    pub fn task_retention(mut self, retention: Duration) -> Self {
        self.task_retention = Some(retention);
        self
    }

    /// Keeps tasks, their results and their notices in this folder, which is made if it is missing,
    /// so that they survive the end of the process, whenever it comes: `tasks.redb`. Outputs that are
    /// too long for a model are files there, `outputs/<session>/output_1.txt`, for as long as tasks
    /// are known; a call is answered once its own is there. What is handed in while tokio shuts down
    /// is still written.
    ///
    /// The names of the tools that a session's model has found are kept too, so that a session with
    /// the same id tells its model of the same tools in the same order, and a provider's cache of the
    /// conversation holds. They are forgotten when no session of that id was used for as long as
    /// tasks are known.
    ///
    /// A task that runs when the process ends comes back as
    /// [`Interrupted`](crate::TaskStatus::Interrupted), and is not run again. A file that is damaged
    /// is set aside beside it, logged as an error, and told of in [`Runtime::report`]; so is a record
    /// of a task that cannot be read, which stays where it is.
    ///
    /// One runtime at a time can have a folder, of all processes: [`build`](Self::build) fails for
    /// another one, after it has waited a second for one that is ending. That takes file locks that
    /// `redb` has on Linux, Apple's systems and Windows; elsewhere `build` fails in any case. On a
    /// network's file system they are as good as that system's locks.
    #[cfg(feature = "store")]
    pub fn data_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.data_dir = Some(path.into());
        self
    }

    /// Checks everything and makes the runtime.
    ///
    /// # Errors
    /// Every [`Fault`] at once: duplicate, invalid and reserved names, missing state, a
    /// missing policy, lines that match nothing.
    pub fn build(self) -> Result<Runtime, BuildError> {
        let mut faults = Vec::new();
        let mut candidates = self.narrowing.apply(self.linked(), &mut faults);
        // Here the names lie side by side; the sort below only merges.
        candidates.sort_by(|left, right| left.name.as_str().cmp(right.name.as_str()));
        self.check_states(&candidates, &mut faults);
        let mut tools = self.tools;
        tools.extend(
            candidates
                .into_iter()
                .map(|Candidate { name, registration }| {
                    let tool = LinkedTool::new(registration, name, &mut faults);
                    Arc::new(tool) as Arc<dyn Tool>
                }),
        );
        tools.sort_by(|left, right| by_name(left.definition(), right.definition()));
        check_names(&tools, &mut faults);
        check_made_by_hand(&tools, &mut faults);
        check_expected(&self.expected, &tools, &mut faults);
        let has_policy = self.policy.is_some() || self.approver.is_some();
        if !has_policy {
            check_effects(&tools, &mut faults);
        }
        let policy = self.policy.unwrap_or_default();
        if policy.has_bare_allow() {
            faults.push(Fault::BareAllow);
        }
        let retention = self.task_retention.unwrap_or(DEFAULT_TASK_RETENTION);
        #[cfg(feature = "store")]
        let (ledger, outputs) = match &self.data_dir {
            // What it would change waits until all else is in order.
            Some(path) if faults.is_empty() => open(path, retention, &mut faults),
            _ => (Ledger::new(retention), Outputs::default()),
        };
        #[cfg(not(feature = "store"))]
        let (ledger, outputs) = (Ledger::new(retention), Outputs::default());
        BuildError::of(faults)?;
        let mut catalogue = Catalogue::new(Registry::new(tools), self.tool_mode);
        for (agent, filter) in self.filters {
            catalogue.add_filter(None, agent, filter);
        }
        let parts = Parts {
            policy,
            has_policy,
            shadow_policy: self.shadow_policy,
            approver: self.approver,
            approval_timeout: self.approval_timeout.unwrap_or(DEFAULT_APPROVAL_TIMEOUT),
            grants: self.grants,
            audit: self.audit,
            states: self.states,
            default_timeout: self.default_timeout.unwrap_or(DEFAULT_TIMEOUT),
            max_concurrency: self
                .max_concurrency
                .map_or(DEFAULT_MAX_CONCURRENCY, NonZeroUsize::get),
            output_cap: self.output_cap,
            executor: self
                .executor
                .unwrap_or_else(|| Arc::new(LocalExecutor::default())),
            retrievers: self.retrievers,
            ledger,
            outputs,
            traces_arguments: self.traces_arguments,
            learns: self.learns,
            learned: Learned::new(self.learned),
        };
        let runtime = Runtime::new(parts, catalogue);
        for lint in runtime.filter_lints() {
            tracing::warn!(%lint, "a filter is questionable");
        }
        for lint in runtime.policy_lints() {
            tracing::warn!(%lint, "a rule of the policy is questionable");
        }
        Ok(runtime)
    }

    fn linked(&self) -> Vec<Candidate> {
        let collected = self.collect.then(crate::linked::linked);
        let named = self.named.iter().copied();
        let mut tools: Vec<_> = collected.into_iter().flatten().chain(named).collect();
        if !self.named.is_empty() {
            tools.sort_unstable_by_key(|tool| std::ptr::from_ref(*tool));
            tools.dedup_by(|left, right| std::ptr::eq(*left, *right));
        }
        tools.into_iter().map(Candidate::new).collect()
    }

    fn check_states(&self, tools: &[Candidate], faults: &mut Vec<Fault>) {
        let given = Provided {
            states: &self.states,
            promised: &self.promised,
        };
        let needs = tools.iter().flat_map(|tool| {
            let rows = tool.registration.needed.iter();
            rows.map(move |row| (tool, row))
        });
        let missing = needs.filter(|(_, row)| !(row.provided)(&given));
        faults.extend(missing.map(|(tool, row)| Fault::MissingState {
            tool: tool.name.to_string(),
            type_name: (row.type_name)(),
            place: tool.registration.origin,
        }));
    }
}

/// What a folder holds.
#[cfg(feature = "store")]
fn open(path: &Path, retention: Duration, faults: &mut Vec<Fault>) -> (Ledger, Outputs) {
    let ledger = Ledger::open(retention, path, faults);
    let outputs = match OutputFolder::open(path.join("outputs"), retention) {
        Ok(opened) => Outputs::in_folder(opened),
        Err(error) => {
            // One fault a folder: mostly it is the same.
            if faults.is_empty() {
                let (path, why) = (path.to_owned(), error.to_string());
                faults.push(Fault::DataDir { path, why });
            }
            Outputs::default()
        }
    };
    (ledger, outputs)
}

fn check_expected(expected: &[String], tools: &[Arc<dyn Tool>], faults: &mut Vec<Fault>) {
    let names = || tools.iter().map(|tool| tool.definition().name());
    for name in expected {
        if !names().any(|other| other == name) {
            faults.push(Fault::Expected {
                name: name.clone(),
                nearest: nearest(name, names()).map(str::to_owned),
            });
        }
    }
}
