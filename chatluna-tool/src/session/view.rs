//! What a session sees at one moment: the one place that says which tools there are for it, when they
//! are listed and when they are called.

use super::Session;
use crate::builtin;
use crate::catalogue::{Catalogue, Registries};
use crate::definition::ToolDefinition;
use crate::event::Event;
use crate::guard::guard;
use crate::identity::TurnInfo;
use crate::registry::Registry;
use crate::tool::Tool;
use crate::tool_mode::ToolMode;
use crate::visibility::ToolFilter;
use std::cell::OnceCell;
use std::sync::Arc;

/// The most tokens of definitions that `ToolMode::Auto` lets a model be told of at once: a tenth of a
/// context of 200,000.
const MAX_DIRECT_TOKENS: usize = 20_000;

/// The tools, filters and modes of one moment. A step has one, so that nothing changes within it.
pub(crate) struct View<'session> {
    pub(super) session: &'session Session,
    catalogue: Arc<Catalogue>,
    /// The tools of the turn that is open, where they are not those of now.
    pinned: Option<Arc<Registries>>,
    pub(super) turn: Option<Arc<TurnInfo>>,
    /// Those that were set while the session runs.
    filters: Vec<Arc<ToolFilter>>,
    /// The mode of tools that have none.
    mode: ToolMode,
    crowd: Crowd,
    /// Whether the program itself calls: it need not have searched.
    pub(super) is_by_hand: bool,
}

/// What is counted once, and only for `ToolMode::Auto`.
#[derive(Default)]
struct Crowd {
    tools: OnceCell<usize>,
    tokens: OnceCell<usize>,
}

impl Session {
    /// What the session sees now.
    pub(crate) fn view(&self) -> View<'_> {
        let catalogue = self.0.runtime.catalogue();
        let mut moment = self.moment();
        let (turn, pinned) = match &mut moment.turn {
            Some(turn) => (
                Some(Arc::clone(&turn.info)),
                turn.pinned(&catalogue.registries),
            ),
            None => (None, None),
        };
        let mode = moment.mode.unwrap_or(catalogue.mode);
        let mut filters: Vec<_> = moment.filters().collect();
        drop(moment);
        filters.extend(self.inherited_filters());
        View {
            session: self,
            catalogue,
            pinned,
            turn,
            filters,
            mode,
            crowd: Crowd::default(),
            is_by_hand: false,
        }
    }
}

impl View<'_> {
    pub(crate) fn session(&self) -> &Session {
        self.session
    }

    /// The same, for the program's own calls.
    pub(crate) fn by_hand(mut self) -> Self {
        self.is_by_hand = true;
        self
    }

    fn agent(&self) -> Option<&str> {
        self.session.info().agent.as_deref()
    }

    /// The program's tools, seen or not.
    #[inline]
    pub(super) fn registry(&self) -> &Arc<Registry> {
        let registries = self.pinned.as_ref();
        let registries = registries.unwrap_or(&self.catalogue.registries);
        registries.of(self.agent())
    }

    /// The tool of this name, seen or not.
    #[inline]
    pub(super) fn existing(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let own = self.registry().get(name);
        own.or_else(|| self.session.builtin(self, name))
    }

    /// The tool of this name, if the session sees it: a hidden one is unknown.
    #[inline]
    pub(super) fn visible(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.existing(name).filter(|tool| self.sees(tool))
    }

    /// All tools that the session sees, those included that a model has to search for.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        let builtins = self.session.appended().builtins(self);
        let builtins = builtins.map(|tool: &Arc<dyn Tool>| tool);
        self.program()
            .chain(builtins.filter(|tool| self.sees(tool)))
    }

    /// Those of the program among them.
    pub(crate) fn program(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        let tools = self.registry().tools().iter();
        tools.filter(|tool| self.sees(tool))
    }

    /// Those that a model is told of: first what it is told of from the start, by name, then what came
    /// later, in the order in which it came.
    pub(super) fn told(&self) -> Vec<&Arc<dyn Tool>> {
        let resident = self.program().filter(|tool| !self.is_deferred(tool));
        let later = self.session.appended().tools(self);
        resident.chain(later).collect()
    }

    /// Whether the session sees the tool. Each layer can only take away.
    #[inline]
    pub(crate) fn sees(&self, tool: &Arc<dyn Tool>) -> bool {
        self.lets_through(tool) && !self.hides(tool) && self.shows(tool)
    }

    /// Whether it gets through the filters: the runtime's, the agent's, the session's.
    #[inline]
    fn lets_through(&self, tool: &Arc<dyn Tool>) -> bool {
        let info = self.session.info();
        let set = info.filters.iter().chain(&self.filters).map(Arc::as_ref);
        let mut filters = self.catalogue.filters(self.agent()).chain(set);
        filters.all(|filter| {
            let name = tool.definition().name();
            match builtin::NAMES.contains(&name) {
                true => !filter.excludes(name),
                false => filter.lets_through(name),
            }
        })
    }

    /// Whether a rule hides it. Most policies have none.
    #[inline]
    fn hides(&self, tool: &Arc<dyn Tool>) -> bool {
        let policy = self.session.policy();
        let action = || tool.definition().tool_name().action();
        !policy.rules().is_empty() && policy.hides(action(), self.session.info())
    }

    /// Whether it gets through all but the rules.
    pub(super) fn offers(&self, tool: &Arc<dyn Tool>) -> bool {
        self.lets_through(tool) && self.shows(tool)
    }

    /// What the tool's own hook says.
    #[inline]
    fn shows(&self, tool: &Arc<dyn Tool>) -> bool {
        guard(|| tool.visible(self.session.info())).unwrap_or_else(|panicked| {
            let name = tool.definition().name();
            tracing::error!(%panicked, name, "a visibility hook panicked; its tool is hidden");
            false
        })
    }

    /// Whether any tool may be one to search for.
    #[inline]
    pub(super) fn may_defer(&self) -> bool {
        self.mode != ToolMode::Direct || self.catalogue.has_modes(self.registry())
    }

    /// Whether a model has to search for a tool of the program: the tool's own mode goes before the
    /// session's, and that before the runtime's.
    pub(crate) fn is_deferred(&self, tool: &Arc<dyn Tool>) -> bool {
        if !self.may_defer() {
            return false;
        }
        match self.catalogue.mode_of(tool).unwrap_or(self.mode) {
            ToolMode::Direct => false,
            ToolMode::Search => true,
            ToolMode::Auto(limit) => self.is_crowded(limit),
        }
    }

    /// Whether there are tools for a model to search.
    pub(crate) fn can_search(&self) -> bool {
        self.may_defer() && self.program().any(|tool| self.is_deferred(tool))
    }

    /// Whether the model is told of the tool now.
    pub(crate) fn is_told(&self, tool: &Arc<dyn Tool>) -> bool {
        !self.is_deferred(tool) || self.session.appended().has(tool.definition().name())
    }

    /// Tells the model of a tool from now on; whether that is new.
    pub(crate) fn load(&self, name: &str) -> bool {
        let is_new = self.session.appended().load(self, name);
        if is_new {
            self.session.0.shared.tell(&Event::ToolsChanged);
        }
        is_new
    }

    /// The definition as the model is told it in this session.
    pub(super) fn described(&self, definition: &ToolDefinition) -> ToolDefinition {
        match definition.name() {
            builtin::SEARCH => builtin::described(self, definition),
            _ => definition.clone(),
        }
    }

    /// Whether the session sees more than so many tools, or too many tokens of them.
    fn is_crowded(&self, limit: usize) -> bool {
        let tools = *self.crowd.tools.get_or_init(|| self.program().count());
        let tokens = || self.program().map(|tool| tool.definition().tokens()).sum();
        tools > limit || *self.crowd.tokens.get_or_init(tokens) > MAX_DIRECT_TOKENS
    }
}
