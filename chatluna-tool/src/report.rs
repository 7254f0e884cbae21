//! What a registry holds, from where, and what is questionable about it.

use crate::definition::ToolDefinition;
use crate::registry::Origin;
use crate::schema::enforced;
use crate::tool::Tool;
use serde_json::Value;
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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Every tool, sorted by name.
    pub tools: Vec<Reported>,
    /// What is questionable, by tool.
    pub lints: Vec<Lint>,
}

/// A tool and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reported {
    /// The name.
    pub name: String,
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
    pub(crate) fn of(tools: &[Arc<dyn Tool>]) -> Self {
        let definitions = || tools.iter().map(|tool| tool.definition());
        Self {
            tools: definitions().map(reported).collect(),
            lints: definitions().flat_map(lints).collect(),
        }
    }
}

fn reported(tool: &ToolDefinition) -> Reported {
    Reported {
        name: tool.name().to_owned(),
        origin: tool.origin(),
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
        let pointer = format!("/{argument}");
        let mut promised = Vec::new();
        unenforced(schema, &pointer, &mut promised);
        let kept = kept(tool, argument, schema);
        promised.retain(|(place, keyword)| *place != pointer || !kept.contains(&&**keyword));
        lints.extend(
            promised
                .into_iter()
                .map(|(pointer, keyword)| Lint::Unenforced {
                    tool: tool.name().to_owned(),
                    pointer,
                    keyword,
                }),
        );
    }
    lints
}

/// The keywords of an argument that the runtime itself enforces.
fn kept(tool: &ToolDefinition, argument: &str, schema: &Value) -> Vec<&'static str> {
    let details = tool.row(argument).and_then(|row| row.details);
    let enforced = details.map(|details| enforced(details, schema));
    let kept = enforced.into_iter().flatten();
    // A bound of the type's own may be the tighter one.
    kept.filter(|(keyword, value)| schema[keyword] == *value)
        .map(|(keyword, _)| keyword)
        .collect()
}

/// Keywords that no type of Rust's own enforces while it is decoded.
fn unenforced(schema: &Value, pointer: &str, found: &mut Vec<(String, String)>) {
    let Some(keywords) = schema.as_object() else {
        return;
    };
    for (keyword, value) in keywords {
        if is_promise(schema, keyword, value) {
            found.push((pointer.to_owned(), keyword.clone()));
        }
    }
    for (name, property) in keywords
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        unenforced(property, &format!("{pointer}/{name}"), found);
    }
    if let Some(items) = keywords.get("items") {
        unenforced(items, &format!("{pointer}/*"), found);
    }
}

fn is_promise(schema: &Value, keyword: &str, value: &Value) -> bool {
    let integer = schema["type"] == "integer" || schema["type"][0] == "integer";
    match keyword {
        "pattern" | "multipleOf" | "exclusiveMinimum" | "exclusiveMaximum" | "uniqueItems"
        | "minProperties" | "maxProperties" => true,
        // A `char` is a string of length 1, a Rust array has one length; both are enforced.
        "minLength" | "maxLength" => schema["minLength"] != schema["maxLength"],
        "minItems" | "maxItems" => schema["minItems"] != schema["maxItems"],
        "minimum" | "maximum" => !(integer && is_bound_of_a_type(value)),
        _ => false,
    }
}

fn is_bound_of_a_type(value: &Value) -> bool {
    let bits = [8, 16, 32, 64];
    let unsigned = |value| value == 0 || bits.iter().any(|bits| value == u64::MAX >> (64 - bits));
    let signed = |value| {
        let bounds = |bits: &u32| (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
        bits.iter()
            .map(bounds)
            .any(|(low, high)| value == low || value == high)
    };
    value.as_u64().is_some_and(unsigned) || value.as_i64().is_some_and(signed)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Reported { name, origin } in &self.tools {
            match origin {
                Some(origin) => writeln!(f, "{name}: {origin}")?,
                None => writeln!(f, "{name}: added at run time")?,
            }
        }
        self.lints.iter().try_for_each(|lint| writeln!(f, "{lint}"))
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
                 check it in the tool"
            ),
        }
    }
}
