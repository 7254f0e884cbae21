//! Who calls: sessions, their subjects, their turns.

use crate::permission::PermissionMode;
use crate::state::{State, States};
use crate::visibility::ToolFilter;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who a session is and what it brings along.
///
/// ```
/// use chatluna_tool::{SessionInfo, Subject};
///
/// let info = SessionInfo::new("chat-7")
///     .agent("planner")
///     .subject(Subject::user("u-1").platform("matrix").group("rustaceans"));
/// assert_eq!((&*info.id, info.agent.as_deref()), ("chat-7", Some("planner")));
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct SessionInfo {
    /// The id of the conversation.
    pub id: String,
    /// The agent that calls, where there are several.
    pub agent: Option<String>,
    /// On whose behalf it calls.
    pub subject: Option<Subject>,
    /// Where relative paths start.
    pub directory: Option<PathBuf>,
    /// The root of the project: the folder of its `.git`, else the directory.
    pub worktree: Option<PathBuf>,
    /// What holds where no rule matches, where that is stricter than the policy's own mode.
    pub permission_mode: Option<PermissionMode>,
    pub(crate) filters: Vec<Arc<ToolFilter>>,
    pub(crate) states: States,
}

impl SessionInfo {
    /// A session with this id.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            ..Self::default()
        }
    }

    /// Names the agent that calls.
    #[must_use]
    pub fn agent(mut self, name: impl Into<String>) -> Self {
        self.agent = Some(name.into());
        self
    }

    /// Says on whose behalf the session calls.
    #[must_use]
    pub fn subject(mut self, subject: Subject) -> Self {
        self.subject = Some(subject);
        self
    }

    /// Sets the directory, and the worktree unless that was set: `.git` is looked for in the
    /// directory and the folders above it.
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        self.worktree.get_or_insert_with(|| worktree_of(&path));
        self.directory = Some(path);
        self
    }

    /// Sets the worktree.
    #[must_use]
    pub fn worktree(mut self, path: impl Into<PathBuf>) -> Self {
        self.worktree = Some(path.into());
        self
    }

    /// Makes the session stricter than the policy where no rule matches: an agent that plans reads
    /// only.
    #[must_use]
    pub fn permission_mode(mut self, mode: PermissionMode) -> Self {
        self.permission_mode = Some(mode);
        self
    }

    /// Narrows what the session sees. Several filters add up: a tool has to get through each.
    ///
    /// An entry that matches no tool is logged as a warning when the session is opened.
    #[must_use]
    pub fn filter(mut self, filter: ToolFilter) -> Self {
        self.filters.push(Arc::new(filter));
        self
    }

    /// Adds a value that tools of this session take as `&T`; it goes before the runtime's.
    ///
    /// A type that only sessions bring is announced with
    /// [`RuntimeBuilder::session_state`](crate::RuntimeBuilder::session_state).
    #[must_use]
    pub fn state<T: State>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }
}

fn worktree_of(directory: &Path) -> PathBuf {
    let whole = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let mut folders = whole.ancestors();
    let root = folders.find(|folder| folder.join(".git").exists());
    root.unwrap_or(directory).to_owned()
}

impl fmt::Debug for SessionInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionInfo")
            .field("id", &self.id)
            .field("agent", &self.agent)
            .field("subject", &self.subject)
            .field("directory", &self.directory)
            .field("worktree", &self.worktree)
            .field("permission_mode", &self.permission_mode)
            .field("filters", &self.filters)
            .finish_non_exhaustive()
    }
}

/// On whose behalf a session calls: a user, and where on a chat platform.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Subject {
    /// The user's id.
    pub user: String,
    /// The chat platform.
    pub platform: Option<String>,
    /// The group, guild or server.
    pub group: Option<String>,
    /// The channel within the group.
    pub channel: Option<String>,
}

impl Subject {
    /// A user with this id.
    pub fn user(id: impl Into<String>) -> Self {
        Self {
            user: id.into(),
            ..Self::default()
        }
    }

    /// Names the chat platform.
    #[must_use]
    pub fn platform(mut self, name: impl Into<String>) -> Self {
        self.platform = Some(name.into());
        self
    }

    /// Names the group, guild or server.
    #[must_use]
    pub fn group(mut self, id: impl Into<String>) -> Self {
        self.group = Some(id.into());
        self
    }

    /// Names the channel within the group.
    #[must_use]
    pub fn channel(mut self, id: impl Into<String>) -> Self {
        self.channel = Some(id.into());
        self
    }
}

/// A turn: all that happens between one message of the user and the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TurnInfo {
    /// The id of the user's message.
    pub message_id: String,
}

impl TurnInfo {
    /// The turn that this message opens.
    pub fn new(message_id: impl Into<String>) -> Self {
        Self {
            message_id: message_id.into(),
        }
    }
}
