//! What keeps a runtime from being built, in words for the developer.

use crate::definition::ToolDefinition;
use crate::name::MAX_NAME_BYTES;
use crate::registry::Origin;
use std::error::Error;
use std::fmt;

/// Why [`RuntimeBuilder::build`](crate::RuntimeBuilder::build) failed: every fault at once.
///
/// `Debug` prints what `Display` prints, so that `fn main() -> Result<(), BuildError>`
/// and `unwrap()` show it as it is meant to be read.
pub struct BuildError {
    faults: Vec<Fault>,
}

impl BuildError {
    pub(crate) fn of(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() {
            return Ok(());
        }
        Err(Self { faults })
    }

    /// The faults, in the order they were found.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

/// One fault of a builder. `Display` says what is wrong, where, and the line that cures it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Tools of one name.
    #[non_exhaustive]
    Duplicate {
        /// The name.
        name: String,
        /// Where the tools are written; tools without the macro have no place.
        places: Vec<Option<Origin>>,
    },
    /// A name that providers refuse.
    #[non_exhaustive]
    InvalidName {
        /// The name.
        name: String,
    },
    /// A name that the runtime keeps for its own tools.
    #[non_exhaustive]
    ReservedName {
        /// The name.
        name: String,
        /// Where the tool is written.
        place: Option<Origin>,
    },
    /// Keywords of a tool made by hand that cannot be searched for.
    #[non_exhaustive]
    BadKeyword {
        /// The tool.
        tool: String,
        /// What is wrong, and what to do.
        why: &'static str,
    },
    /// A reference in a tool's signature that nobody provides.
    #[non_exhaustive]
    MissingState {
        /// The tool.
        tool: String,
        /// The type, as Rust spells it.
        type_name: &'static str,
        /// Where the tool is written.
        place: Origin,
    },
    /// A tool that was expected and is not there.
    #[non_exhaustive]
    Expected {
        /// The name.
        name: String,
        /// The name that is there and most like it.
        nearest: Option<String>,
    },
    /// A schema of arguments whose root is no object.
    #[non_exhaustive]
    NotAnObject {
        /// The tool.
        tool: String,
    },
    /// The schema of a tool is none.
    #[cfg(feature = "validate")]
    #[non_exhaustive]
    InvalidSchema {
        /// The tool.
        tool: String,
        /// What is wrong with it.
        why: String,
    },
    /// A `$ref` of a schema that leads to nothing in it.
    #[non_exhaustive]
    Dangling {
        /// The tool.
        tool: String,
        /// The JSON pointer of the schema that refers.
        pointer: String,
        /// What it refers to.
        reference: String,
        /// Where the tool is written.
        place: Option<Origin>,
    },
    /// A constraint on an argument that it can never have.
    #[non_exhaustive]
    Misfit {
        /// The tool.
        tool: String,
        /// The argument.
        argument: &'static str,
        /// The constraint: `range`, `length` or `pattern`.
        constraint: &'static str,
        /// The JSON types of the argument.
        types: Vec<String>,
        /// Where the tool is written.
        place: Option<Origin>,
    },
    /// A flattened argument whose type does not say its keys, as a struct or a map would.
    #[non_exhaustive]
    NotFlat {
        /// The tool.
        tool: String,
        /// The argument.
        argument: &'static str,
        /// Where the tool is written.
        place: Option<Origin>,
    },
    /// A key of both a flattened struct and another argument.
    #[non_exhaustive]
    SharedKey {
        /// The tool.
        tool: String,
        /// The key.
        key: String,
        /// The argument that is flattened.
        argument: &'static str,
        /// Where the tool is written.
        place: Option<Origin>,
    },
    /// A pattern that is no regular expression.
    #[non_exhaustive]
    BadPattern {
        /// The tool.
        tool: String,
        /// The argument.
        argument: &'static str,
        /// What the parser of regular expressions says.
        why: String,
        /// Where the tool is written.
        place: Option<Origin>,
    },
    /// Tools that write or execute, and nobody to decide about them.
    #[non_exhaustive]
    NoPolicy {
        /// The tools.
        tools: Vec<String>,
    },
    /// A policy rule that allows everything without saying so.
    BareAllow,
    /// A folder that cannot keep tasks.
    #[cfg(feature = "store")]
    #[non_exhaustive]
    DataDir {
        /// The folder.
        path: std::path::PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A line of the builder that matches no linked tool.
    #[non_exhaustive]
    Idle {
        /// The builder's method.
        method: &'static str,
        /// What it was given.
        argument: String,
    },
}

impl Fault {
    pub(crate) fn idle(method: &'static str, argument: &str) -> Self {
        let argument = argument.to_owned();
        Self::Idle { method, argument }
    }

    pub(crate) fn duplicate(tools: &[&ToolDefinition]) -> Self {
        Self::Duplicate {
            name: tools[0].name().to_owned(),
            places: tools.iter().map(|tool| tool.origin()).collect(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { name, places } => duplicate(f, name, places),
            Self::InvalidName { name } => write!(
                f,
                "`{name}` is no tool name; use 1 to {MAX_NAME_BYTES} of a-z, A-Z, 0-9, `_` and `-`"
            ),
            Self::ReservedName { name, place } => write!(
                f,
                "the name `{name}` is kept for a built-in tool{}; add `name = \"my_{name}\"` to its `#[tool(..)]`",
                At(*place)
            ),
            Self::BadKeyword { tool, why } => write!(f, "in the definition of `{tool}`, {why}"),
            Self::MissingState {
                tool,
                type_name,
                place,
            } => missing_state(f, tool, type_name, place),
            Self::NotAnObject { tool } => write!(
                f,
                "the arguments of `{tool}` are no object; give a schema with `\"type\": \"object\"`, or take a struct or a map"
            ),
            #[cfg(feature = "validate")]
            Self::InvalidSchema { tool, why } => {
                write!(f, "the arguments of `{tool}` have a broken schema: {why}")
            }
            Self::Dangling {
                tool,
                pointer,
                reference,
                place,
            } => dangling(f, tool, pointer, reference, *place),
            Self::Misfit {
                tool,
                argument,
                constraint,
                types,
                place,
            } => misfit(f, (tool, argument), constraint, types, *place),
            Self::NotFlat {
                tool,
                argument,
                place,
            } => write!(
                f,
                "the type of the flattened argument `{argument}` of `{tool}` does not say its keys, as a struct or a map would{}; change it or remove `flatten`",
                At(*place)
            ),
            Self::SharedKey {
                tool,
                key,
                argument,
                place,
            } => write!(
                f,
                "`{key}` of `{tool}` is an argument and also a field of the flattened `{argument}`{}; rename one of them",
                At(*place)
            ),
            Self::BadPattern {
                tool,
                argument,
                why,
                place,
            } => write!(
                f,
                "the pattern of the argument `{argument}` of `{tool}` is no regular expression ({why}){}; correct it",
                At(*place)
            ),
            Self::Expected { name, nearest } => expected(f, name, nearest.as_deref()),
            Self::NoPolicy { tools } => no_policy(f, tools),
            Self::BareAllow => f.write_str(
                "a rule allows `*`, which is everything; say `PermissionPolicy::allow_all()`, narrow it: `.allow(\"tool:*\")`, or mark the rule with `unsafe_allow_all`",
            ),
            #[cfg(feature = "store")]
            Self::DataDir { path, why } => data_dir(f, path, why),
            Self::Idle { method, argument } => write!(
                f,
                "`.{method}({argument:?})` matches no linked tool; correct it or remove the line"
            ),
        }
    }
}

#[cfg(feature = "store")]
fn data_dir(f: &mut fmt::Formatter<'_>, path: &std::path::Path, why: &str) -> fmt::Result {
    let path = path.display();
    write!(f, "the data folder `{path}` cannot be used: {why}")
}

fn dangling(
    f: &mut fmt::Formatter<'_>,
    tool: &str,
    pointer: &str,
    reference: &str,
    place: Option<Origin>,
) -> fmt::Result {
    write!(
        f,
        "`$ref: {reference}` at {pointer} of `{tool}` leads to nothing in the schema{}; put what it means under the `$defs` of the root",
        At(place)
    )
}

fn misfit(
    f: &mut fmt::Formatter<'_>,
    (tool, argument): (&str, &str),
    constraint: &str,
    types: &[String],
    place: Option<Origin>,
) -> fmt::Result {
    write!(
        f,
        "`{constraint}` on the argument `{argument}` of `{tool}` means nothing for its type, {}{}; remove it or change the type",
        types.join(" or "),
        At(place)
    )
}

fn duplicate(f: &mut fmt::Formatter<'_>, name: &str, places: &[Option<Origin>]) -> fmt::Result {
    write!(f, "{} tools are named `{name}`:", places.len())?;
    for place in places {
        match place {
            Some(origin) => write!(f, "\n      {origin}")?,
            None => f.write_str("\n      one added with `.tool(..)`")?,
        }
    }
    let last = places.iter().flatten().last();
    match last {
        Some(Origin {
            module, function, ..
        }) => write!(
            f,
            "\n    rename one: `#[tool(name = \"{name}_2\")]`, or `.rename(\"{module}::{function}\", \"{name}_2\")` on the builder"
        ),
        None => f.write_str("\n    rename one where its definition is made"),
    }
}

fn missing_state(
    f: &mut fmt::Formatter<'_>,
    tool: &str,
    type_name: &str,
    place: &Origin,
) -> fmt::Result {
    // `app::Db` is short for nobody but the compiler; the paths in `Vec<app::Db>` stay.
    let short = match type_name.rsplit_once("::") {
        Some((_, last)) if !type_name.contains('<') => last,
        _ => type_name,
    };
    write!(
        f,
        "the tool `{tool}` takes `&{type_name}`, which nobody provides\n      \
         {place}\n    \
         add it to the builder: `.state(..)` with a `{short}`, or `.session_state::<{short}>()` if each session brings one;\n    \
         an argument from the model is taken by value"
    )
}

fn expected(f: &mut fmt::Formatter<'_>, name: &str, nearest: Option<&str>) -> fmt::Result {
    write!(f, "there is no tool `{name}`")?;
    match nearest {
        Some(near) => write!(f, "; did you mean `{near}`?"),
        None => f.write_str("; link its crate: `chatluna_tool::link!(the_crate);`"),
    }
}

fn no_policy(f: &mut fmt::Formatter<'_>, tools: &[String]) -> fmt::Result {
    let names: Vec<String> = tools.iter().map(|name| format!("`{name}`")).collect();
    let (verb, noun) = if tools.len() == 1 {
        ("may write or execute", "it only reads")
    } else {
        ("may write or execute", "they only read")
    };
    write!(
        f,
        "{} {verb} and nobody decides about that; choose one:\n      \
         .policy(PermissionPolicy::allow_all())   on the builder: run them all\n      \
         .policy(PermissionPolicy::new())         on the builder: refuse what is not allowed by a rule\n      \
         .approver(approver::terminal())          on the builder, with the feature `terminal`: ask whoever sits there\n      \
         .approver(DenyAll)                       on the builder: refuse them all, whatever the rules ask about\n      \
         #[tool(traits(effect = \"read\"))]         on the function: {noun}",
        names.join(", ")
    )
}

/// `: <place>`, or nothing.
struct At(Option<Origin>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(origin) => write!(f, ": {origin}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = match self.faults.len() {
            1 => "a fault".to_owned(),
            count => format!("{count} faults"),
        };
        write!(f, "the tool runtime has {faults}:")?;
        for (index, fault) in self.faults.iter().enumerate() {
            write!(f, "\n  {}. {fault}", index + 1)?;
        }
        Ok(())
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for BuildError {}
