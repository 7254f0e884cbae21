//! What is wrong with a tool's parameters that only their schemas tell.

use crate::arguments::{Details, Parameter};
use crate::build_error::Fault;
use crate::definition::ToolDefinition;
use crate::provider::dangling;
use crate::schema::{flat, types};
use regex_lite::Error;

/// Checks a tool whose parameters have details. `broken` are the patterns that do not compile.
pub(crate) fn check(
    tool: &ToolDefinition,
    broken: &[(&'static Parameter, Error)],
    faults: &mut Vec<Fault>,
) {
    faults.extend(broken.iter().map(|(row, why)| Fault::BadPattern {
        tool: tool.name().to_owned(),
        argument: row.name,
        why: why.to_string(),
        place: tool.origin(),
    }));
    for row in tool.rows() {
        match row.details {
            Some(details) if details.flattened => check_struct(tool, row, faults),
            Some(details) => check_fit(tool, row, details, faults),
            None => {}
        }
    }
}

/// Checks what every provider relies on. A type or a person made the schema.
pub(crate) fn check_schema(tool: &ToolDefinition, faults: &mut Vec<Fault>) {
    let schema = tool.parameters();
    if schema["type"] != "object" {
        faults.push(Fault::NotAnObject {
            tool: tool.name().to_owned(),
        });
    }
    let dangling = dangling(schema).into_iter();
    faults.extend(dangling.map(|(pointer, reference)| Fault::Dangling {
        tool: tool.name().to_owned(),
        pointer,
        reference: reference.to_owned(),
        place: tool.origin(),
    }));
    #[cfg(feature = "validate")]
    if tool.has_own_schema() {
        let error = tool.validator().error();
        faults.extend(error.map(|why| Fault::InvalidSchema {
            tool: tool.name().to_owned(),
            why: why.to_owned(),
        }));
    }
}

/// A constraint has to be one that a value of the argument's type can break.
fn check_fit(tool: &ToolDefinition, row: &Parameter, details: &Details, faults: &mut Vec<Fault>) {
    let constraints = [
        ("range", details.range.is_some(), &["integer", "number"][..]),
        (
            "length",
            details.length.is_some(),
            &["string", "array", "object"],
        ),
        ("pattern", details.pattern.is_some(), &["string"]),
    ];
    for (constraint, _, fitting) in constraints.into_iter().filter(|(_, is_set, _)| *is_set) {
        let Some(types) = types(&tool.parameters()["properties"][row.name]) else {
            continue;
        };
        if !types.iter().any(|name| fitting.contains(name)) {
            faults.push(Fault::Misfit {
                tool: tool.name().to_owned(),
                argument: row.name,
                constraint,
                types: types.into_iter().map(str::to_owned).collect(),
                place: tool.origin(),
            });
        }
    }
}

/// The keys of a flattened struct have to be known, and its own.
fn check_struct(tool: &ToolDefinition, row: &Parameter, faults: &mut Vec<Fault>) {
    let Some(flat) = flat(row) else {
        faults.push(Fault::NotFlat {
            tool: tool.name().to_owned(),
            argument: row.name,
            place: tool.origin(),
        });
        return;
    };
    for key in flat.properties.keys() {
        if tool.rows().iter().any(|row| row.takes(key)) {
            faults.push(Fault::SharedKey {
                tool: tool.name().to_owned(),
                key: key.clone(),
                argument: row.name,
                place: tool.origin(),
            });
        }
    }
}
