//! Tools that come and go while the program runs.

use crate::build_error::{BuildError, Fault};
use crate::catalogue::Catalogue;
use crate::owner::Owner;
use crate::runtime::{Runtime, WeakRuntime};
use crate::tool::Tool;
use crate::tool_checks::check;
use crate::tool_mode::ToolMode;
use crate::visibility::ToolFilter;
use std::fmt;
use std::sync::Arc;

impl Runtime {
    /// Adds a tool while the program runs. It goes again when the guard is dropped.
    ///
    /// Sessions see it from their next step on: the next [`definitions`](crate::Session::definitions)
    /// or [`execute`](crate::Session::execute); a turn that is open, from the next turn on. Calls that
    /// run when a tool goes run to their end. Listeners are told with
    /// [`Event::ToolsChanged`](crate::Event::ToolsChanged).
    ///
    /// # Errors
    /// Those of [`RuntimeBuilder::build`](crate::RuntimeBuilder::build) for one tool: a name that is
    /// taken, reserved or none, a schema that is none, an effect about which nobody decides. Nothing is
    /// added then.
    pub fn register(&self, owner: Owner, tool: impl Tool) -> Result<ToolGuard, BuildError> {
        self.register_all(owner, [Arc::new(tool) as Arc<dyn Tool>])
    }

    /// Adds tools that belong together, such as those of a plugin or a server: all or none, and no
    /// session ever sees some of them alone. See [`register`](Self::register).
    ///
    /// # Errors
    /// Every [`Fault`] at once.
    pub fn register_all(
        &self,
        owner: Owner,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
    ) -> Result<ToolGuard, BuildError> {
        let mut guard = ToolGuard {
            runtime: self.downgrade(),
            owner,
            tools: Vec::new(),
        };
        guard.replace(tools)?;
        Ok(guard)
    }

    /// Narrows what all sessions see, for as long as the guard lives. It holds from each session's next
    /// step on, within a turn too.
    ///
    /// An entry that matches no tool is logged as a warning and listed by
    /// [`report`](Self::report): the tool may come later.
    pub fn filter(&self, filter: ToolFilter) -> FilterGuard {
        self.narrow(None, filter)
    }

    /// Narrows what the sessions of an agent see. See [`filter`](Self::filter).
    pub fn agent_filter(&self, agent: impl Into<String>, filter: ToolFilter) -> FilterGuard {
        self.narrow(Some(agent.into()), filter)
    }

    fn narrow(&self, agent: Option<String>, filter: ToolFilter) -> FilterGuard {
        let id = self.next_filter();
        self.change(|catalogue| catalogue.add_filter(Some(id), agent, filter));
        for lint in self.filter_lints() {
            tracing::warn!(%lint, "a filter is questionable");
        }
        let runtime = self.downgrade();
        FilterGuard::new(move || {
            if let Some(runtime) = runtime.upgrade() {
                runtime.change(|catalogue| catalogue.remove_filter(id));
            }
        })
    }

    /// Sets the mode of sessions that have none, from their next step on.
    pub fn set_tool_mode(&self, mode: ToolMode) {
        self.change(|catalogue| catalogue.mode = mode);
    }

    /// Sets the mode of the tools of this name, which goes before the one in their definition; `None`
    /// takes that back. Whether there is such a tool now: the mode holds for one that comes later too.
    pub fn set_tool_mode_of(&self, name: &str, mode: impl Into<Option<ToolMode>>) -> bool {
        let mode = mode.into();
        self.change(|catalogue| {
            catalogue.set_mode_of(name, mode);
            catalogue.registries.has(name)
        })
    }
}

/// Keeps tools registered; dropping it takes them away.
#[must_use = "the tools go when the guard is dropped; `keep` makes them stay"]
pub struct ToolGuard {
    runtime: WeakRuntime,
    owner: Owner,
    tools: Vec<Arc<dyn Tool>>,
}

impl ToolGuard {
    /// Whose the tools are.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The names, in the order in which the tools came.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tools.iter().map(|tool| tool.definition().name())
    }

    /// Puts other tools in the place of these, at once: no session sees neither, or both.
    ///
    /// # Errors
    /// Those of [`Runtime::register_all`]; the tools that were there stay then. When the runtime is
    /// gone nothing happens.
    pub fn replace(
        &mut self,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
    ) -> Result<(), BuildError> {
        let tools: Vec<_> = tools.into_iter().collect();
        let Some(runtime) = self.runtime.upgrade() else {
            return Ok(());
        };
        let mut faults = Vec::new();
        check(&tools, runtime.has_policy(), &mut faults);
        runtime.try_change(|catalogue| {
            self.swap(catalogue, &tools, &mut faults);
            BuildError::of(faults)
        })?;
        self.tools = tools;
        Ok(())
    }

    fn swap(&self, catalogue: &mut Catalogue, tools: &[Arc<dyn Tool>], faults: &mut Vec<Fault>) {
        let owned = catalogue.registries.owned(&self.owner);
        let owned = owned.map_or_else(Vec::new, |owned| owned.tools().to_vec());
        let is_ours = |tool: &Arc<dyn Tool>| self.tools.iter().any(|own| Arc::ptr_eq(own, tool));
        let mut all: Vec<_> = owned.into_iter().filter(|tool| !is_ours(tool)).collect();
        for tool in tools {
            let definition = tool.definition();
            let taken = all.iter().map(|other| other.definition());
            let mut taken = taken.filter(|other| other.name() == definition.name());
            if let Some(other) = taken.next() {
                faults.push(Fault::duplicate(&[other, definition]));
            }
        }
        if faults.is_empty() {
            all.extend(tools.iter().cloned());
            let registries = catalogue.registries.with_owned(&self.owner, all);
            catalogue.registries = Arc::new(registries);
        }
    }

    /// Leaves the tools registered for as long as the runtime lives.
    pub fn keep(mut self) {
        self.tools.clear();
    }
}

impl Drop for ToolGuard {
    fn drop(&mut self) {
        if self.tools.is_empty() {
            return;
        }
        // Nothing is added, so nothing is at fault.
        let _ = self.replace([]);
    }
}

impl fmt::Debug for ToolGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolGuard")
            .field("owner", &self.owner)
            .field("tools", &self.names().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Keeps a filter in place; dropping it takes the filter away.
#[must_use = "the filter goes when the guard is dropped; `keep` makes it stay"]
pub struct FilterGuard {
    remove: Option<Box<dyn FnOnce() + Send + Sync>>,
}

impl FilterGuard {
    pub(crate) fn new(remove: impl FnOnce() + Send + Sync + 'static) -> Self {
        let remove: Box<dyn FnOnce() + Send + Sync> = Box::new(remove);
        Self {
            remove: Some(remove),
        }
    }

    /// Leaves the filter in place for as long as what it narrows lives.
    pub fn keep(mut self) {
        self.remove = None;
    }
}

impl Drop for FilterGuard {
    fn drop(&mut self) {
        if let Some(remove) = self.remove.take() {
            remove();
        }
    }
}

impl fmt::Debug for FilterGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FilterGuard")
    }
}
