//! What comes in and what goes out: [`ToolCall`] and [`ToolResult`].

use crate::arguments::{Arguments, Repair};
use crate::background::TaskId;
use crate::error::{ErrorKind, ToolError};
use crate::marks::Shown;
use crate::output::{Content, ToolOutput};
use crate::provider::Dialect;
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

/// One call a model asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The provider's id; it travels back verbatim, also when it is empty or repeats.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: Arguments,
    /// The dialect in which the model was told of the tool, where names in it may not be the
    /// tool's own. The parsers of [`provider`](crate::provider) set it.
    pub dialect: Option<Dialect>,
}

impl ToolCall {
    /// A call by hand; its id is empty.
    pub fn new(name: impl Into<String>, arguments: impl Into<Arguments>) -> Self {
        Self {
            id: String::new(),
            name: name.into(),
            arguments: arguments.into(),
            dialect: None,
        }
    }

    /// Sets the id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets the dialect, from which the names of the tool and of its arguments are read back.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }
}

/// The answer to one call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    id: String,
    name: String,
    output: ToolOutput,
    error: Option<ErrorKind>,
    elapsed: Duration,
    // Boxed: most results have none of it, and results are moved about.
    rare: Option<Box<Rare>>,
}

/// What most results do without.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rare {
    repairs: Vec<Repair>,
    shown: Shown,
    task: Option<TaskId>,
}

impl ToolResult {
    /// The answer to a call that a host program gives itself, as when it ends a loop: each id of a
    /// reply has to be answered.
    pub fn answer(call: &ToolCall, outcome: Result<ToolOutput, ToolError>) -> Self {
        Self::new(call.id.clone(), call.name.clone(), outcome)
    }

    pub(crate) fn new(id: String, name: String, outcome: Result<ToolOutput, ToolError>) -> Self {
        Self::timed(id, name, outcome, Duration::ZERO)
    }

    #[inline]
    pub(crate) fn timed(
        id: String,
        name: String,
        outcome: Result<ToolOutput, ToolError>,
        elapsed: Duration,
    ) -> Self {
        let (output, error) = match outcome {
            Ok(output) => (output, None),
            Err(error) => (error_output(&error), Some(error.kind())),
        };
        Self::kept((id, name), output, error, elapsed)
    }

    /// One whose text is made already.
    #[inline]
    pub(crate) fn kept(
        (id, name): (String, String),
        output: ToolOutput,
        error: Option<ErrorKind>,
        elapsed: Duration,
    ) -> Self {
        Self {
            id,
            name,
            output,
            error,
            elapsed,
            rare: None,
        }
    }

    pub(crate) fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
    }

    pub(crate) fn set_repairs(&mut self, repairs: Vec<Repair>) {
        if !repairs.is_empty() {
            self.rare.get_or_insert_default().repairs = repairs;
        }
    }

    pub(crate) fn set_shown(&mut self, shown: Shown) {
        self.rare.get_or_insert_default().shown = shown;
    }

    /// The answer to a call that goes on.
    pub(crate) fn of_task(mut self, task: TaskId) -> Self {
        self.rare.get_or_insert_default().task = Some(task);
        self
    }

    /// The id of the call that this answers.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name that the call asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model reads: the tool's output, or `error (<kind>): <text>`.
    pub fn text(&self) -> Cow<'_, str> {
        self.output.to_text()
    }

    /// The parts of the answer.
    pub fn content(&self) -> &[Content] {
        self.output.content()
    }

    /// The answer as data, where the tool returned any.
    pub fn structured(&self) -> Option<&Value> {
        self.output.structured()
    }

    /// How long the call ran, from its first poll to its end; zero if it did not run.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// How the call was read where that is not how it was written; empty for most calls.
    pub fn repairs(&self) -> &[Repair] {
        self.rare.as_ref().map_or(&[], |rare| &rare.repairs)
    }

    /// What people see of the call, where the tool has set it with
    /// [`CallContext::title`](crate::CallContext::title).
    pub fn title(&self) -> Option<&str> {
        self.rare.as_ref()?.shown.title.as_deref()
    }

    /// Data for the host program, where the tool has set it with
    /// [`CallContext::metadata`](crate::CallContext::metadata).
    pub fn metadata(&self) -> Option<&Value> {
        self.rare.as_ref()?.shown.metadata.as_ref()
    }

    /// The task that the call has become, where it goes on in the background.
    pub fn task(&self) -> Option<&TaskId> {
        self.rare.as_ref()?.task.as_ref()
    }

    /// The kind of failure; `None` is success.
    pub fn error(&self) -> Option<ErrorKind> {
        self.error
    }
}

fn error_output(error: &ToolError) -> ToolOutput {
    ToolOutput::text(format!("error ({}): {error}", error.kind()))
}
