//! What can change between the steps of a session: its turn, its filters, its tool mode.

use super::{Session, Shared};
use crate::catalogue::Registries;
use crate::event::Event;
use crate::identity::TurnInfo;
use crate::register::FilterGuard;
use crate::tool_mode::ToolMode;
use crate::visibility::ToolFilter;
use std::sync::{Arc, MutexGuard, PoisonError};

/// What all handles of a session agree upon at one moment.
#[derive(Default)]
pub(super) struct Moment {
    pub(super) turn: Option<Turn>,
    pub(super) mode: Option<ToolMode>,
    /// With what takes each away again.
    filters: Vec<(u64, Arc<ToolFilter>)>,
}

/// A turn and the tools that it began with.
#[derive(Clone)]
pub(super) struct Turn {
    pub(super) info: Arc<TurnInfo>,
    tools: Arc<Registries>,
    /// Those of the runtime when `tools` was last compared with them.
    compared: Arc<Registries>,
}

impl Turn {
    pub(super) fn new(info: Arc<TurnInfo>, tools: Arc<Registries>) -> Self {
        let compared = Arc::clone(&tools);
        Self {
            info,
            tools,
            compared,
        }
    }

    /// The tools of the turn where they are not the runtime's of now: without those that have come
    /// since it began, and without those that are gone.
    pub(super) fn pinned(&mut self, now: &Arc<Registries>) -> Option<Arc<Registries>> {
        if Arc::ptr_eq(&self.tools, now) {
            return None;
        }
        if !Arc::ptr_eq(&self.compared, now) {
            self.tools = Arc::new(self.tools.still_in(now));
            self.compared = Arc::clone(now);
        }
        Some(Arc::clone(&self.tools))
    }
}

impl Session {
    pub(super) fn moment(&self) -> MutexGuard<'_, Moment> {
        self.0.shared.moment()
    }

    /// Opens a turn: the calls that follow answer this message of the user.
    ///
    /// The session has one turn at a time. A program that may get a message while it answers
    /// another one of the same session takes them one after the other.
    ///
    /// Within a turn, a call that has failed twice in a row with the same arguments is not run a
    /// third time, and an answer that was given for the turn holds. Tools that are registered or
    /// replaced meanwhile are seen from the next turn on, or after
    /// [`refresh_tools`](Self::refresh_tools); those that go, go at once. Without a turn each
    /// [`execute`](Self::execute) is one of its own.
    pub fn begin_turn(&self, turn: TurnInfo) {
        self.failures().clear();
        self.memory().end_turn();
        let tools = Arc::clone(&self.0.runtime.catalogue().registries);
        self.moment().turn = Some(Turn::new(Arc::new(turn), tools));
    }

    /// Lets the turn that is open see the tools that there are now, as when one of its calls has
    /// installed a plugin.
    pub fn refresh_tools(&self) {
        let now = Arc::clone(&self.0.runtime.catalogue().registries);
        if let Some(turn) = &mut self.moment().turn {
            *turn = Turn::new(Arc::clone(&turn.info), now);
        }
    }

    /// The turn that is open.
    pub(crate) fn turn(&self) -> Option<Arc<TurnInfo>> {
        let moment = self.moment();
        moment.turn.as_ref().map(|turn| Arc::clone(&turn.info))
    }

    /// Sets whether the model is told of tools at once or finds them with `tool_search`, in all handles
    /// of the session, from the next step on. The mode of a tool goes before it; `None` takes the
    /// runtime's.
    pub fn set_tool_mode(&self, mode: impl Into<Option<ToolMode>>) {
        self.moment().mode = mode.into();
        self.0.shared.tell(&Event::ToolsChanged);
    }

    /// Narrows what the session sees, in all its handles and its [children](Self::child), for as long
    /// as the guard lives. It holds from the next step on, within a turn too.
    ///
    /// An entry that matches no tool is logged as a warning: the tool may come later.
    pub fn filter(&self, filter: ToolFilter) -> FilterGuard {
        self.0.runtime.warn_of(&filter, self.info());
        let id = self.0.runtime.next_filter();
        self.moment().filters.push((id, Arc::new(filter)));
        self.0.shared.tell(&Event::ToolsChanged);
        let shared = Arc::downgrade(&self.0.shared);
        FilterGuard::new(move || {
            if let Some(shared) = shared.upgrade() {
                shared.moment().filters.retain(|(other, _)| *other != id);
                shared.tell(&Event::ToolsChanged);
            }
        })
    }

    /// Opens a session for a sub-agent: it sees what this one sees, narrowed by the filter.
    ///
    /// Its calls, tasks, notices, answers and loaded tools are its own; its [info](Self::info) is this
    /// one's but for the id, which is this one's followed by `/1` and so on. It begins in this one's
    /// turn. What narrows this session later narrows the child too.
    ///
    /// ```
    /// use chatluna_tool::{Runtime, SessionInfo, ToolFilter, tool, tools};
    ///
    /// /// Reads a page
    /// #[tool(traits(effect = "read"))]
    /// async fn page_read() {}
    ///
    /// /// Asks another model
    /// #[tool(traits(effect = "read"))]
    /// async fn delegate() {}
    ///
    /// # fn main() -> Result<(), chatluna_tool::BuildError> {
    /// let runtime = Runtime::builder().tools(tools![page_read, delegate]).build()?;
    /// let session = runtime.session(SessionInfo::new("chat"));
    /// let helper = session.child(ToolFilter::new().include(["page_*"]));
    /// assert_eq!(helper.definitions().len(), 1);
    /// assert_eq!(helper.info().id, "chat/1");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn child(&self, filter: ToolFilter) -> Session {
        self.0.runtime.warn_of(&filter, self.info());
        let mut info = self.info().clone();
        info.filters.push(Arc::new(filter));
        let child = self.0.runtime.child_of(self, info);
        let moment = self.moment();
        let (turn, mode) = (moment.turn.clone(), moment.mode);
        drop(moment);
        let mut begun = child.moment();
        (begun.turn, begun.mode) = (turn, mode);
        drop(begun);
        child
    }

    /// The filters that were set for those that the session is a child of.
    pub(super) fn inherited_filters(&self) -> Vec<Arc<ToolFilter>> {
        let mut filters = Vec::new();
        let mut above = self.0.parent.as_ref();
        while let Some(parent) = above {
            filters.extend(parent.moment().filters());
            above = parent.0.parent.as_ref();
        }
        filters
    }
}

impl Moment {
    pub(super) fn filters(&self) -> impl Iterator<Item = Arc<ToolFilter>> {
        self.filters.iter().map(|(_, filter)| Arc::clone(filter))
    }
}

impl Shared {
    fn moment(&self) -> MutexGuard<'_, Moment> {
        self.moment.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whoever listens.
    pub(crate) fn tell(&self, event: &Event) {
        self.channel.tell(event);
    }
}
