//! A second look at arguments that a tool could not read: what was meant, or else what is wrong.

use super::error::broken;
use super::repair::{Mender, Repair};
use super::strict::strict;
use super::{ArgumentError, Arguments, Parameter};
use crate::definition::ToolDefinition;
use crate::pointer::{self, step};
use crate::schema::Scrutiny;
use crate::schema::effort::Effort;
use crate::schema::verdict::{Judge, Problem};
use serde_json::{Map, Value};

/// Longer texts get no second look, in bytes (256 KiB): it takes several walks.
const MAX_BYTES: usize = 256 << 10;

/// The arguments as they were meant, and how that differs from what was written.
///
/// # Errors
/// Every problem by the tool's schema; the tool's own `error` where the schema finds none.
pub(crate) fn salvage(
    tool: &ToolDefinition,
    arguments: &Arguments,
    error: ArgumentError,
) -> Result<(Arguments, Vec<Repair>), ArgumentError> {
    let Some(value) = value_of(arguments) else {
        return Err(error);
    };
    let effort = Effort::new(arguments.text().len());
    let judge = Judge::new(tool.parameters(), &effort);
    let names = Names::of(&value, tool.rows());
    let (value, repairs) = Mender::new(judge).mend(names.own(value));
    if !value.is_object() {
        return Err(error);
    }
    let problems = judge.problems(&value);
    if judge.is_exhausted() || (problems.is_empty() && repairs.is_empty()) {
        Err(error)
    } else if problems.is_empty() {
        let secrets = Secrets(tool.rows());
        let repairs = repairs
            .into_iter()
            .map(|repair| secrets.mask_repair(repair));
        Ok((value.into(), repairs.collect()))
    } else {
        Err(names.told(problems))
    }
}

/// Checks what the type of the arguments leaves open, by the schema.
///
/// # Errors
/// Every problem.
pub(crate) fn enforce(tool: &ToolDefinition, arguments: &Arguments) -> Result<(), ArgumentError> {
    match tool.scrutiny() {
        Scrutiny::None => Ok(()),
        scrutiny => enforce_by(tool, scrutiny, arguments),
    }
}

#[cold]
fn enforce_by(
    tool: &ToolDefinition,
    scrutiny: Scrutiny,
    arguments: &Arguments,
) -> Result<(), ArgumentError> {
    let effort = Effort::new(arguments.text().len());
    let judge = Judge::new(tool.parameters(), &effort);
    let text = arguments.object()?;
    let value: Value = serde_json::from_str(text).map_err(|_| broken(text))?;
    let names = Names::of(&value, tool.rows());
    let value = names.own(value);
    let mut problems = judge.problems(&value);
    match scrutiny {
        Scrutiny::Constraints => problems.retain(|problem| problem.is_constraint),
        #[cfg(feature = "validate")]
        Scrutiny::Beyond if problems.is_empty() => problems = tool.validator().problems(&value),
        _ => {}
    }
    match &problems[..] {
        [] => Ok(()),
        _ => Err(names.told(problems)),
    }
}

/// The value of a text that is short enough, and whole.
fn value_of(arguments: &Arguments) -> Option<Value> {
    let is_read = arguments.text().len() <= MAX_BYTES && arguments.broken.is_none();
    let text = if arguments.is_blank() {
        "{}"
    } else {
        arguments.text()
    };
    is_read.then(|| strict(text))?
}

/// The keys that a call gives under an alias: a schema does not know those.
struct Names<'tool> {
    aliased: Vec<(String, &'tool str)>,
    rows: &'tool [Parameter],
}

impl<'tool> Names<'tool> {
    fn of(value: &Value, rows: &'tool [Parameter]) -> Self {
        let keys = value.as_object().into_iter().flat_map(Map::keys);
        let aliased = keys.filter_map(|key| {
            let row = rows.iter().find(|row| row.has_alias(key))?;
            Some((key.clone(), row.name))
        });
        Self {
            aliased: aliased.collect(),
            rows,
        }
    }

    /// The arguments under their own names.
    fn own(&self, value: Value) -> Value {
        let Value::Object(fields) = value else {
            return value;
        };
        let fields = fields.into_iter().map(|(key, value)| {
            let own = self.aliased.iter().find(|(alias, _)| *alias == key);
            (own.map_or(key, |(_, name)| (*name).to_owned()), value)
        });
        Value::Object(fields.collect())
    }

    /// The problems in the call's own words, without its secrets.
    fn told(&self, problems: Vec<Problem>) -> ArgumentError {
        let secrets = Secrets(self.rows);
        let told = problems
            .into_iter()
            .map(|problem| self.written(secrets.mask(problem)));
        let mut told: Vec<_> = told.collect();
        told.dedup();
        ArgumentError::of_problems(told)
    }

    /// The problem with the name that the call has written.
    fn written(&self, problem: Problem) -> Problem {
        let renamed = self.aliased.iter().find_map(|(alias, name)| {
            let rest = problem.pointer.strip_prefix(&step("", name))?;
            let is_whole = rest.is_empty() || rest.starts_with('/');
            is_whole.then(|| step("", alias) + rest)
        });
        match renamed {
            Some(pointer) => Problem { pointer, ..problem },
            None => problem,
        }
    }
}

/// What may not be quoted.
struct Secrets<'tool>(&'tool [Parameter]);

impl Secrets<'_> {
    fn holds(&self, pointer: &str) -> bool {
        let key = pointer::key(pointer.split('/').nth(1).unwrap_or_default());
        // What is said of the whole may quote anything.
        let is_whole = pointer.is_empty();
        let mut secrets = self.0.iter().filter(|row| row.is_secret());
        secrets.any(|row| is_whole || row.name == key)
    }

    fn mask(&self, problem: Problem) -> Problem {
        let message = &problem.message;
        // The value comes last in every message.
        let (fact, _) = [", got ", ", has "]
            .iter()
            .find_map(|joint| message.split_once(joint))
            .unwrap_or((message, ""));
        match self.holds(&problem.pointer) && fact != message {
            true => Problem {
                message: format!("{fact} (its value is secret)"),
                ..problem
            },
            false => problem,
        }
    }

    fn mask_repair(&self, repair: Repair) -> Repair {
        let Repair { pointer, change } = repair;
        let change = match self.holds(&pointer) {
            true => "read its value (which is secret) as what it takes".to_owned(),
            false => change,
        };
        Repair { pointer, change }
    }
}
