//! The tools that the runtime brings itself. A session sees one from when it is of use.

mod read_output;
mod tasks;

use crate::session::Session;
use crate::tool::Tool;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Their names, sorted.
pub(crate) const NAMES: [&str; 5] = [
    "read_output",
    "task_cancel",
    "task_list",
    "task_output",
    "tool_search",
];

/// A tool, and when it is of use.
struct Builtin {
    tool: Arc<dyn Tool>,
    is_useful: fn(&Session) -> bool,
}

impl Builtin {
    fn new(tool: impl Tool, is_useful: fn(&Session) -> bool) -> Self {
        let tool = Arc::new(tool);
        Self { tool, is_useful }
    }
}

/// Sorted by name.
static ALL: LazyLock<[Builtin; 4]> = LazyLock::new(|| {
    let [cancel, list, output] = tasks::tools();
    [read_output::tool(), cancel, list, output]
});

/// Those that a session has, in the order in which they came: what a model has been told of stays,
/// and stays where it is.
#[derive(Debug, Default)]
pub(crate) struct Builtins(Mutex<Vec<usize>>);

impl Builtins {
    /// Those that there are by now.
    pub(crate) fn of(&self, session: &Session) -> Vec<&'static Arc<dyn Tool>> {
        let mut known = self.lock();
        for (index, builtin) in ALL.iter().enumerate() {
            if !known.contains(&index) && (builtin.is_useful)(session) {
                known.push(index);
            }
        }
        known.iter().map(|&index| &ALL[index].tool).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
