//! The tools of a runtime, and what the linker collects for it.

use crate::BoxFuture;
use crate::arguments::{ArgumentError, Arguments, Input, Parameter, Patterns};
use crate::build_error::Fault;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::hints::Hints;
use crate::identity::SessionInfo;
use crate::name::ToolName;
use crate::output::ToolOutput;
use crate::owner::Owner;
use crate::parameter_faults;
use crate::permission::Permission;
use crate::report::Report;
use crate::search::Index;
use crate::state::Needed;
use crate::tool::{PreparedCall, Tool, Traits};
use schemars::{Schema, SchemaGenerator};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Where a tool's function is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Origin {
    /// The module path: `my_bot::tools`.
    pub module: &'static str,
    /// The function's name; of a method, `Type::name`.
    pub function: &'static str,
    /// The source file, as the compiler was given it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Origin {
    #[doc(hidden)]
    pub const fn new(
        module: &'static str,
        function: &'static str,
        file: &'static str,
        line: u32,
        column: u32,
    ) -> Self {
        Self {
            module,
            function,
            file,
            line,
            column,
        }
    }

    /// The crate, as Rust spells it: `my_bot`.
    pub fn krate(&self) -> &'static str {
        self.module.split("::").next().unwrap_or(self.module)
    }

    /// Whether `path` is the function's path: `my_bot::tools::weather`, `my_bot::Db::find`.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        let rest = path.strip_prefix(self.module);
        rest.and_then(|rest| rest.strip_prefix("::")) == Some(self.function)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            module,
            function,
            file,
            line,
            ..
        } = self;
        write!(f, "{module}::{function} ({file}:{line})")
    }
}

/// A tool made by `#[tool]`, as data in the program's binary.
pub struct ToolRegistration {
    /// `tool:<name>`.
    pub action: &'static str,
    /// For people.
    pub title: Option<&'static str>,
    /// For the model.
    pub description: &'static str,
    /// What `traits(..)` said.
    pub traits: Traits,
    /// One row an argument.
    pub parameters: &'static [Parameter],
    /// The examples, the keywords and the mode, if there are any.
    pub hints: Option<&'static Hints>,
    /// One row an injected reference.
    pub needed: &'static [Needed],
    /// The schema of the result.
    pub output_schema: fn(&mut SchemaGenerator) -> Option<Schema>,
    /// The `visibility` hook.
    pub visibility: Option<fn(&SessionInfo) -> bool>,
    /// Reads the arguments.
    pub prepare: fn(&Input<'_>) -> Result<Box<dyn PreparedCall>, ArgumentError>,
    /// Where it is written.
    pub origin: Origin,
}

/// The tool of a registration.
pub(crate) struct LinkedTool {
    registration: &'static ToolRegistration,
    definition: ToolDefinition,
    patterns: Patterns,
}

impl LinkedTool {
    /// Checks what the macro cannot: how the details of the parameters go with their types.
    pub(crate) fn new(
        registration: &'static ToolRegistration,
        name: ToolName,
        faults: &mut Vec<Fault>,
    ) -> Self {
        let definition = ToolDefinition::of_registration(registration, name);
        let mut patterns = Patterns::default();
        let rows = registration.parameters;
        if rows.iter().any(|row| row.details.is_some()) {
            let (compiled, broken) = Patterns::of(rows);
            patterns = compiled;
            parameter_faults::check(&definition, &broken, faults);
        }
        Self {
            registration,
            definition,
            patterns,
        }
    }

    pub(crate) fn input<'call>(&'call self, arguments: &'call Arguments) -> Input<'call> {
        Input {
            arguments,
            parameters: self.registration.parameters,
            patterns: &self.patterns,
            definition: &self.definition,
        }
    }
}

impl Tool for LinkedTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn visible(&self, session: &SessionInfo) -> bool {
        self.registration
            .visibility
            .is_none_or(|hook| hook(session))
    }

    fn prepare(
        self: Arc<Self>,
        arguments: &Arguments,
    ) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        (self.registration.prepare)(&self.input(arguments))
    }
}

/// What generated code knows how to do with arguments of type `A`.
pub struct Hooks<A> {
    /// The `permission` hook.
    pub permission: Option<fn(&A) -> Permission>,
    /// The `key` of the traits.
    pub key: Option<fn(&A) -> String>,
    /// Calls the function.
    pub run: fn(A, CallContext) -> BoxFuture<'static, Result<ToolOutput, ToolError>>,
}

/// The key of a call, which `traits(key = ..)` takes from its arguments.
pub fn key_of<'a, A, R: ToString>(arguments: &'a A, key: impl FnOnce(&'a A) -> R) -> String {
    key(arguments).to_string()
}

struct Prepared<A: 'static> {
    arguments: A,
    hooks: &'static Hooks<A>,
}

/// A call of generated code, ready to run.
///
/// # Errors
/// Never: the type is that of `ToolRegistration::prepare`.
pub fn prepared<A: Send>(
    arguments: A,
    hooks: &'static Hooks<A>,
) -> Result<Box<dyn PreparedCall>, ArgumentError> {
    Ok(Box::new(Prepared { arguments, hooks }))
}

impl<A: Send> PreparedCall for Prepared<A> {
    fn permission(&self) -> Option<Permission> {
        self.hooks.permission.map(|hook| hook(&self.arguments))
    }

    fn key(&self) -> Option<String> {
        self.hooks.key.map(|hook| hook(&self.arguments))
    }

    fn run(
        self: Box<Self>,
        call: CallContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        (self.hooks.run)(self.arguments, call)
    }
}

/// The tools that the sessions of an agent may see at one moment, sorted by name. It does not change:
/// a change of the runtime's tools makes a new one.
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
    index: HashMap<ToolName, usize, foldhash::fast::RandomState>,
    /// Whether a tool has a mode of its own.
    has_modes: bool,
    /// Made with the first search.
    search: OnceLock<Index>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let definitions = self.tools.iter().map(|tool| tool.definition());
        f.debug_list().entries(definitions).finish()
    }
}

impl Registry {
    /// Of tools that are sorted and have different names.
    pub(crate) fn new(tools: Vec<Arc<dyn Tool>>) -> Self {
        let definitions = || tools.iter().map(|tool| tool.definition());
        let names = definitions().map(|definition| definition.tool_name().clone());
        let index = names.zip(0..).collect();
        let has_modes = definitions().any(|definition| definition.mode().is_some());
        Self {
            tools,
            index,
            has_modes,
            search: OnceLock::new(),
        }
    }

    /// Of tools that have different names.
    pub(crate) fn sorted(mut tools: Vec<Arc<dyn Tool>>) -> Self {
        tools.sort_by(|left, right| left.definition().name().cmp(right.definition().name()));
        Self::new(tools)
    }

    /// Those that `current` holds too, the very same.
    pub(crate) fn still_in(&self, current: &Self) -> Self {
        let is_there = |tool: &&Arc<dyn Tool>| {
            let there = current.get(tool.definition().name());
            there.is_some_and(|there| Arc::ptr_eq(there, tool))
        };
        Self::new(self.tools.iter().filter(is_there).cloned().collect())
    }

    /// All tools, sorted by name.
    pub fn tools(&self) -> &[Arc<dyn Tool>] {
        &self.tools
    }

    /// What there is, from where, and what is questionable about it.
    pub fn report(&self) -> Report {
        Report::of(&Owner::Global, &self.tools)
    }

    /// The tool of this name, visible or not.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let index = self.index.get(name)?;
        self.tools.get(*index)
    }

    /// Where tools are found by words, by their places in [`tools`](Self::tools).
    pub(crate) fn search_index(&self) -> &Index {
        self.search.get_or_init(|| Index::new(&self.tools))
    }

    pub(crate) fn is_indexed(&self) -> bool {
        self.search.get().is_some()
    }

    pub(crate) fn has_modes(&self) -> bool {
        self.has_modes
    }
}
