//! What a registry holds, from where, and what is questionable about it.

use crate::definition::ToolDefinition;
use crate::owner::Owner;
use crate::permission::PolicyLint;
use crate::registry::Origin;
use crate::schema::promises;
use crate::tool::Tool;
use crate::visibility::FilterLint;
use std::fmt;
use std::sync::Arc;

/// The tools of a registry and the lints on them. `Display` gives a line each.
///
/// ```
/// use chatluna_tool::{Runtime, tool, tools};
///
/// /// Greets
/// #[tool(traits(effect = "read"))]
/// async fn greet(name: &str) -> String {
///     format!("hello {name}")
/// }
///
/// # fn main() -> Result<(), chatluna_tool::BuildError> {
/// let runtime = Runtime::builder().tools(tools![greet]).build()?;
/// let report = runtime.registry().report();
/// assert_eq!(report.tools[0].name, "greet");
/// assert_eq!(
///     report.lints[0].to_string(),
///     "greet: the argument `name` has no description; write a doc comment on it"
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Every tool, sorted by name: everybody's, then those of each agent.
    pub tools: Vec<Reported>,
    /// What is questionable, by tool.
    pub lints: Vec<Lint>,
    /// What is questionable about the rules of the policy, in their order. A report of a registry
    /// alone has none.
    pub policy: Vec<PolicyLint>,
    /// The entries of the runtime's filters that match nothing. A report of a registry alone has none.
    pub filters: Vec<FilterLint>,
    /// What could not be read of what an earlier process has left, and where it is now.
    pub damage: Vec<String>,
}

/// A tool and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reported {
    /// The name.
    pub name: String,
    /// Whose it is.
    pub owner: Owner,
    /// The place; tools without the macro have none.
    pub origin: Option<Origin>,
}

/// Something that works and that a model will stumble over.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lint {
    /// The one argument is a struct: the model has to wrap everything in it.
    #[non_exhaustive]
    SingleStruct {
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
    },
    /// An argument without a description.
    #[non_exhaustive]
    Undocumented {
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
    },
    /// The schema promises a constraint that nothing checks.
    #[non_exhaustive]
    Unenforced {
        /// The tool.
        tool: String,
        /// The JSON pointer of the constrained value.
        pointer: String,
        /// The keyword.
        keyword: String,
    },
}

impl Report {
    pub(crate) fn of(owner: &Owner, tools: &[Arc<dyn Tool>]) -> Self {
        let definitions = || tools.iter().map(|tool| tool.definition());
        let reported = |tool: &ToolDefinition| Reported {
            name: tool.name().to_owned(),
            owner: owner.clone(),
            origin: tool.origin(),
        };
        Self {
            tools: definitions().map(reported).collect(),
            lints: definitions().flat_map(lints).collect(),
            ..Self::default()
        }
    }

    /// What this one and another say about tools.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.tools.extend(other.tools);
        self.lints.extend(other.lints);
        self
    }
}

fn lints(tool: &ToolDefinition) -> Vec<Lint> {
    let mut lints = Vec::new();
    let properties = tool.parameters()["properties"].as_object();
    let properties: Vec<_> = properties.into_iter().flatten().collect();
    if let [(argument, schema)] = &properties[..]
        && schema.get("properties").is_some()
    {
        lints.push(Lint::SingleStruct {
            tool: tool.name().to_owned(),
            argument: (*argument).clone(),
        });
    }
    for (argument, schema) in properties {
        if schema.get("description").is_none() {
            lints.push(Lint::Undocumented {
                tool: tool.name().to_owned(),
                argument: argument.clone(),
            });
        }
    }
    let is_validated = cfg!(feature = "validate") && tool.has_own_schema();
    let unknown = promises(tool).into_iter().filter(|it| !it.is_known);
    let broken = unknown.filter(|_| !is_validated);
    lints.extend(broken.map(|promise| Lint::Unenforced {
        tool: tool.name().to_owned(),
        pointer: promise.pointer,
        keyword: promise.keyword,
    }));
    lints
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tools
            .iter()
            .try_for_each(|tool| writeln!(f, "{tool}"))?;
        self.lints
            .iter()
            .try_for_each(|lint| writeln!(f, "{lint}"))?;
        self.policy
            .iter()
            .try_for_each(|lint| writeln!(f, "{lint}"))?;
        self.filters
            .iter()
            .try_for_each(|lint| writeln!(f, "{lint}"))?;
        self.damage
            .iter()
            .try_for_each(|damage| writeln!(f, "{damage}"))
    }
}

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Owner::Agent(agent) = &self.owner {
            write!(f, " of the agent `{agent}`")?;
        }
        match &self.origin {
            Some(origin) => write!(f, ": {origin}"),
            None => f.write_str(": added at run time"),
        }
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SingleStruct { tool, argument } => write!(
                f,
                "{tool}: the only argument, `{argument}`, is a struct, so the model has to write \
                 `{{\"{argument}\": {{..}}}}`; take its fields as arguments"
            ),
            Self::Undocumented { tool, argument } => write!(
                f,
                "{tool}: the argument `{argument}` has no description; write a doc comment on it"
            ),
            Self::Unenforced {
                tool,
                pointer,
                keyword,
            } => write!(
                f,
                "{tool}: the schema promises `{keyword}` at {pointer} and nothing checks it; \
                 check it in the tool, or switch the feature `validate` on"
            ),
        }
    }
}
