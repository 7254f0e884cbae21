//! Calls to linked tools.

use super::Setup;
use crate::arguments::Arguments;
use crate::call::ToolResult;
use crate::permission::PermissionPolicy;
use crate::runtime::Runtime;

/// Starts a call to the linked tool of this name. Everything is allowed.
pub fn tool(name: &str) -> ToolTest {
    let builder = Runtime::builder().collect().only([name]);
    ToolTest {
        setup: Setup::of(builder.policy(PermissionPolicy::allow_all())),
        name: name.to_owned(),
    }
}

/// A linked tool about to be called by a unit test.
#[derive(Debug)]
#[must_use]
pub struct ToolTest {
    pub(super) setup: Setup,
    name: String,
}

impl ToolTest {
    /// Calls the tool with these arguments.
    ///
    /// # Panics
    /// When no tool of this name is linked, or its state is missing, with the text of the
    /// [`BuildError`](crate::BuildError).
    pub async fn call(self, arguments: impl Into<Arguments>) -> ToolResult {
        self.setup.session().call(&self.name, arguments).await
    }
}
