//! What can be wrong with a tool and only shows when its types and examples are tried.

use crate::arguments::{Arguments, Details, Input, Parameter, Patterns, enforce};
use crate::build_error::Fault;
use crate::definition::ToolDefinition;
use crate::guard::{Panicked, guard};
use crate::parameter_faults;
use crate::provider::dangling;
use crate::tool::Tool;
use serde_json::Value;
use std::fmt::Display;
use std::sync::Arc;

/// All that is wrong with a tool, in words for its developer. Nothing is run.
pub(crate) fn unsound(tool: &Arc<dyn Tool>) -> Vec<String> {
    let definition = tool.definition();
    let mut faults: Vec<String> = undescribed(definition).into_iter().collect();
    faults.extend(of_schemas(definition));
    let examples = examples(definition);
    faults.extend(examples.iter().filter_map(|text| of_example(tool, text)));
    let rows = definition.rows();
    let nothing = Arguments::default();
    let (patterns, _) = Patterns::of(rows);
    let input = Input {
        arguments: &nothing,
        parameters: rows,
        patterns: &patterns,
        definition,
    };
    for (index, row) in rows.iter().enumerate() {
        if let Some(details) = row.details {
            faults.extend(of_details(&input, index, row, details));
        }
    }
    faults
}

/// Something of a tool that was tried.
struct Found<'tool> {
    tool: &'tool ToolDefinition,
    what: String,
}

impl Found<'_> {
    fn because(&self, why: impl Display) -> String {
        let Self { tool, what } = self;
        let why = why.to_string().replace('\n', "\n      ");
        format!("{what} of `{}` fails{}\n      {why}", tool.name(), at(tool))
    }

    fn judged<E: Display>(&self, tried: Result<Result<(), E>, Panicked>) -> Option<String> {
        match tried {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(self.because(why)),
            Err(panicked) => Some(self.because(format_args!("it panicked: {panicked}"))),
        }
    }
}

/// `: <place>`, or nothing.
fn at(tool: &ToolDefinition) -> String {
    let place = tool.origin();
    place.map(|place| format!(": {place}")).unwrap_or_default()
}

/// The macro cannot read a description that is a constant, and nobody reads one given by hand.
fn undescribed(tool: &ToolDefinition) -> Option<String> {
    tool.description().trim().is_empty().then(|| {
        format!(
            "`{}` has no description{}; say what it does: models choose tools by that",
            tool.name(),
            at(tool)
        )
    })
}

fn of_schemas(tool: &ToolDefinition) -> Vec<String> {
    if let Some(panicked) = tool.schema_panic() {
        let what = "the schema".to_owned();
        let found = Found { tool, what };
        return vec![found.because(format_args!("it panicked: {panicked}"))];
    }
    let mut faults = Vec::new();
    parameter_faults::check_schema(tool, &mut faults);
    let mut faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
    let what = "the schema of the result".to_owned();
    let found = Found { tool, what };
    let dangling = tool.output().map(dangling).unwrap_or_default();
    faults.extend(dangling.iter().map(|(pointer, reference)| {
        found.because(format_args!(
            "`$ref: {reference}` at {pointer} leads to nothing"
        ))
    }));
    faults
}

/// The examples of whole calls: what the macro was given, or what the schema holds.
fn examples(tool: &ToolDefinition) -> Vec<String> {
    let written = tool.example_texts();
    if !written.is_empty() {
        return written.iter().map(|&text| text.to_owned()).collect();
    }
    let examples = tool.parameters()["examples"].as_array();
    examples
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect()
}

fn of_example(tool: &Arc<dyn Tool>, example: &str) -> Option<String> {
    let found = Found {
        tool: tool.definition(),
        what: format!("the example `{example}`"),
    };
    if let Err(error) = serde_json::from_str::<Value>(example) {
        return Some(found.because(format_args!("it is not JSON: {error}")));
    }
    let arguments = Arguments::from(example);
    let prepare = || {
        enforce(tool.definition(), &arguments)?;
        Arc::clone(tool).prepare(&arguments).map(drop)
    };
    found.judged(guard(prepare))
}

/// The examples and the default of one argument.
fn of_details(input: &Input<'_>, index: usize, row: &Parameter, details: &Details) -> Vec<String> {
    let found = |what| Found {
        tool: input.definition,
        what: format!("{what} of the argument `{}`", row.name),
    };
    let examples = details.examples.iter().enumerate();
    let examples = examples.filter_map(|(number, example)| {
        let tried = guard(|| input.accepts(index, &example()));
        found(format!("example {}", number + 1)).judged(tried)
    });
    let default = details.default.and_then(|default| {
        let kept = input.keeps(index, &default.to_json());
        found("the default".to_owned()).judged(Ok(kept))
    });
    examples.chain(default).collect()
}
