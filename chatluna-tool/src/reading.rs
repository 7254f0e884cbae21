//! From the arguments of a call to a call that can run: as they came, or as they were meant.

use crate::arguments::{ArgumentError, Arguments, Repair, enforce, salvage};
use crate::call::ToolCall;
use crate::error::{ErrorKind, ToolError};
use crate::guard::guard;
use crate::provider::Lowered;
use crate::tool::{PreparedCall, Tool};
use std::sync::Arc;

/// A call that can run, and its arguments where they are not those that came.
//
// Boxed: most calls are read as they came, and what is returned is moved about.
pub(crate) type Reading = (Box<dyn PreparedCall>, Option<Box<Mended>>);

/// What a tool read in place of what came.
pub(crate) struct Mended {
    pub(crate) arguments: Arguments,
    pub(crate) repairs: Vec<Repair>,
}

/// Reads the arguments, and reads them again if they can be repaired.
#[inline]
pub(crate) fn prepare(tool: &Arc<dyn Tool>, call: &ToolCall) -> Result<Reading, ToolError> {
    let lowered = |dialect| tool.definition().lowered(dialect);
    match call.dialect.map(lowered) {
        Some(lowered) if lowered.renames() => translated(tool, &call.arguments, lowered),
        _ => as_meant(tool, &call.arguments, unfit),
    }
}

/// Reads arguments under the names that a provider takes.
fn translated(
    tool: &Arc<dyn Tool>,
    arguments: &Arguments,
    lowered: &Lowered,
) -> Result<Reading, ToolError> {
    let arguments = arguments.renamed(|sent| lowered.restore(sent));
    let name = |own: &str| lowered.wire_name(own).to_owned();
    let unfit = |error: ArgumentError| unfit(error.renamed(name));
    let (prepared, mended) = as_meant(tool, &arguments, unfit)?;
    let unmended = || {
        Box::new(Mended {
            arguments,
            repairs: Vec::new(),
        })
    };
    Ok((prepared, Some(mended.unwrap_or_else(unmended))))
}

#[inline]
fn as_meant(
    tool: &Arc<dyn Tool>,
    arguments: &Arguments,
    unfit: impl FnOnce(ArgumentError) -> ToolError,
) -> Result<Reading, ToolError> {
    match read(tool, arguments)? {
        Ok(prepared) => Ok((prepared, None)),
        Err(error) => mended(tool, arguments, error, unfit),
    }
}

#[cold]
fn mended(
    tool: &Arc<dyn Tool>,
    arguments: &Arguments,
    error: ArgumentError,
    unfit: impl FnOnce(ArgumentError) -> ToolError,
) -> Result<Reading, ToolError> {
    let (arguments, repairs) = match salvage(tool.definition(), arguments, error) {
        Ok(salvaged) => salvaged,
        Err(error) => return Err(unfit(error)),
    };
    let mended = Box::new(Mended { arguments, repairs });
    let prepared = read(tool, &mended.arguments)?.map_err(unfit)?;
    Ok((prepared, Some(mended)))
}

/// Reads the arguments behind the guard.
#[inline]
fn read(
    tool: &Arc<dyn Tool>,
    arguments: &Arguments,
) -> Result<Result<Box<dyn PreparedCall>, ArgumentError>, ToolError> {
    let tool = Arc::clone(tool);
    let prepare = || {
        enforce(tool.definition(), arguments)?;
        tool.prepare(arguments)
    };
    guard(prepare).map_err(|panicked| panicked.error("reading the arguments"))
}

fn unfit(error: ArgumentError) -> ToolError {
    let kind = if error.is_malformed() {
        ErrorKind::MalformedArguments
    } else {
        ErrorKind::InvalidArguments
    };
    ToolError::of_kind(kind, error)
}
