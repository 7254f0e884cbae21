//! All tools at one moment, of all owners, and who may see them. A change makes a new one, so
//! whoever holds one never sees half a change.

use crate::owner::Owner;
use crate::registry::Registry;
use crate::tool::Tool;
use crate::tool_mode::ToolMode;
use crate::visibility::{FilterLint, ToolFilter};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a runtime knows about tools at one moment.
#[derive(Clone)]
pub(crate) struct Catalogue {
    pub(crate) registries: Arc<Registries>,
    layers: Vec<Layer>,
    /// The modes that were set for names.
    modes: BTreeMap<String, ToolMode>,
    /// That of sessions that have none.
    pub(crate) mode: ToolMode,
}

/// A filter, of all sessions or of an agent's.
#[derive(Clone)]
struct Layer {
    /// What takes it away again; those of the builder stay.
    id: Option<u64>,
    agent: Option<String>,
    filter: ToolFilter,
}

impl Layer {
    fn is_of(&self, agent: Option<&str>) -> bool {
        self.agent.is_none() || self.agent.as_deref() == agent
    }
}

impl Catalogue {
    pub(crate) fn new(registry: Registry, mode: ToolMode) -> Self {
        Self {
            registries: Arc::new(Registries::new(registry)),
            layers: Vec::new(),
            modes: BTreeMap::new(),
            mode,
        }
    }

    pub(crate) fn add_filter(
        &mut self,
        id: Option<u64>,
        agent: Option<String>,
        filter: ToolFilter,
    ) {
        self.layers.push(Layer { id, agent, filter });
    }

    pub(crate) fn remove_filter(&mut self, id: u64) {
        self.layers.retain(|layer| layer.id != Some(id));
    }

    pub(crate) fn set_mode_of(&mut self, name: &str, mode: Option<ToolMode>) {
        match mode {
            Some(mode) => self.modes.insert(name.to_owned(), mode),
            None => self.modes.remove(name),
        };
    }

    /// The filters that an agent's sessions go through, the runtime's and its own.
    #[inline]
    pub(crate) fn filters<'a>(
        &'a self,
        agent: Option<&'a str>,
    ) -> impl Iterator<Item = &'a ToolFilter> {
        let layers = self.layers.iter();
        layers
            .filter(move |layer| layer.is_of(agent))
            .map(|layer| &layer.filter)
    }

    /// Whether a tool has a mode of its own.
    #[inline]
    pub(crate) fn has_modes(&self, registry: &Registry) -> bool {
        registry.has_modes() || !self.modes.is_empty()
    }

    /// The tool's own mode: the one that was set, else the one it was made with.
    pub(crate) fn mode_of(&self, tool: &Arc<dyn Tool>) -> Option<ToolMode> {
        let definition = tool.definition();
        let set = self.modes.get(definition.name()).copied();
        set.or_else(|| definition.mode())
    }

    /// The entries of filters that match no tool.
    pub(crate) fn lints(&self, builtins: &[&str]) -> Vec<FilterLint> {
        let lints = self.layers.iter().flat_map(|layer| {
            let agent = layer.agent.clone();
            let tools = self.registries.all_of(agent.as_deref());
            let names = tools.map(|tool| tool.definition().name());
            let idle = layer
                .filter
                .unmatched(names.chain(builtins.iter().copied()));
            let idle: Vec<String> = idle.into_iter().map(str::to_owned).collect();
            idle.into_iter().map(move |pattern| FilterLint {
                agent: agent.clone(),
                pattern,
            })
        });
        lints.collect()
    }
}

/// The tools of all owners.
#[derive(Clone)]
pub(crate) struct Registries {
    global: Arc<Registry>,
    agents: BTreeMap<String, Agent>,
}

#[derive(Clone)]
struct Agent {
    own: Arc<Registry>,
    /// Its own, and of everybody's those that its own leave uncovered.
    seen: Arc<Registry>,
}

impl Agent {
    fn new(own: Arc<Registry>, global: &Registry) -> Self {
        let uncovered = global.tools().iter();
        let uncovered = uncovered.filter(|tool| own.get(tool.definition().name()).is_none());
        let all = own.tools().iter().chain(uncovered).cloned();
        let seen = Arc::new(Registry::sorted(all.collect()));
        Self { own, seen }
    }
}

impl Registries {
    fn new(global: Registry) -> Self {
        let global = Arc::new(global);
        let agents = BTreeMap::new();
        Self { global, agents }
    }

    /// What an agent's sessions may see; a session without an agent sees everybody's.
    #[inline]
    pub(crate) fn of(&self, agent: Option<&str>) -> &Arc<Registry> {
        match agent {
            Some(agent) if !self.agents.is_empty() => {
                let known = self.agents.get(agent);
                known.map_or(&self.global, |agent| &agent.seen)
            }
            _ => &self.global,
        }
    }

    /// An owner's own.
    pub(crate) fn owned(&self, owner: &Owner) -> Option<&Arc<Registry>> {
        match owner {
            Owner::Global => Some(&self.global),
            Owner::Agent(name) => self.agents.get(name).map(|agent| &agent.own),
        }
    }

    /// All owners that have tools, everybody first, then sorted.
    pub(crate) fn owners(&self) -> impl Iterator<Item = (Owner, &Arc<Registry>)> {
        let agents = self.agents.iter();
        let agents = agents.map(|(name, agent)| (Owner::agent(name), &agent.own));
        std::iter::once((Owner::Global, &self.global)).chain(agents)
    }

    /// Whether anybody has a tool of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.owners()
            .any(|(_, registry)| registry.get(name).is_some())
    }

    /// Everybody's and those of one agent, or of all.
    pub(crate) fn all_of<'a>(
        &'a self,
        agent: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Arc<dyn Tool>> {
        let agents = self.agents.iter();
        let agents = agents.filter(move |(name, _)| agent.is_none_or(|agent| agent == *name));
        let own = agents.flat_map(|(_, agent)| agent.own.tools());
        self.global.tools().iter().chain(own)
    }

    /// With these in place of all that the owner has.
    pub(crate) fn with_owned(&self, owner: &Owner, tools: Vec<Arc<dyn Tool>>) -> Self {
        let registry = Arc::new(Registry::sorted(tools));
        match owner {
            Owner::Global => self.with_global(registry),
            Owner::Agent(name) => {
                let mut all = self.clone();
                if registry.tools().is_empty() {
                    all.agents.remove(name);
                } else {
                    let agent = Agent::new(registry, &self.global);
                    all.agents.insert(name.clone(), agent);
                }
                all
            }
        }
    }

    fn with_global(&self, global: Arc<Registry>) -> Self {
        let agents = self.agents.iter();
        let agents = agents.map(|(name, agent)| {
            let agent = Agent::new(Arc::clone(&agent.own), &global);
            (name.clone(), agent)
        });
        let agents = agents.collect();
        Self { global, agents }
    }

    /// Without the tools that are not in `current` any more.
    pub(crate) fn still_in(&self, current: &Self) -> Self {
        let mut left = Self::new(self.global.still_in(&current.global));
        for (name, agent) in &self.agents {
            let still = current.agents.get(name);
            let own = still.map(|still| agent.own.still_in(&still.own));
            if let Some(own) = own.filter(|own| !own.tools().is_empty()) {
                let agent = Agent::new(Arc::new(own), &left.global);
                left.agents.insert(name.clone(), agent);
            }
        }
        left
    }
}
