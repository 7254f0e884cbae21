//! The tools that the runtime brings itself. A session sees one from when it is of use.

mod read_output;
mod search;
mod tasks;

pub(crate) use search::{Found, described, written};

use crate::session::View;
use crate::tool::Tool;
use std::sync::{Arc, LazyLock};

/// Their names, sorted.
pub(crate) const NAMES: [&str; 5] = [
    "read_output",
    "task_cancel",
    "task_list",
    "task_output",
    "tool_search",
];

/// The one that finds tools.
pub(crate) const SEARCH: &str = "tool_search";

/// A tool, and when it is of use.
struct Builtin {
    tool: Arc<dyn Tool>,
    is_useful: fn(&View<'_>) -> bool,
}

impl Builtin {
    fn new(tool: impl Tool, is_useful: fn(&View<'_>) -> bool) -> Self {
        let tool = Arc::new(tool);
        Self { tool, is_useful }
    }

    fn name(&self) -> &str {
        self.tool.definition().name()
    }
}

/// Sorted by name.
static ALL: LazyLock<[Builtin; 5]> = LazyLock::new(|| {
    let [cancel, list, output] = tasks::tools();
    [read_output::tool(), cancel, list, output, search::tool()]
});

/// The names of those that are of use to a session now.
pub(crate) fn useful(view: &View<'_>) -> impl Iterator<Item = &'static str> {
    let useful = ALL.iter().filter(|builtin| (builtin.is_useful)(view));
    useful.map(Builtin::name)
}

/// The tool of this name.
pub(crate) fn named(name: &str) -> Option<&'static Arc<dyn Tool>> {
    let mut all = ALL.iter();
    let builtin = all.find(|builtin| builtin.name() == name)?;
    Some(&builtin.tool)
}
