//! From the arguments of a call to a call that can run: as they came, or as they were meant.

use crate::arguments::{ArgumentError, Arguments, Repair, enforce, salvage};
use crate::error::{ErrorKind, ToolError};
use crate::guard::guard;
use crate::session::panicked_error;
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
pub(crate) fn prepare(tool: &Arc<dyn Tool>, arguments: &Arguments) -> Result<Reading, ToolError> {
    let error = match read(tool, arguments)? {
        Ok(prepared) => return Ok((prepared, None)),
        Err(error) => error,
    };
    let (arguments, repairs) = salvage(tool.definition(), arguments, error).map_err(unfit)?;
    let prepared = read(tool, &arguments)?.map_err(unfit)?;
    Ok((prepared, Some(Box::new(Mended { arguments, repairs }))))
}

/// Reads the arguments behind the guard.
fn read(
    tool: &Arc<dyn Tool>,
    arguments: &Arguments,
) -> Result<Result<Box<dyn PreparedCall>, ArgumentError>, ToolError> {
    let tool = Arc::clone(tool);
    let prepare = || {
        if tool.definition().has_own_schema() {
            enforce(tool.definition(), arguments)?;
        }
        tool.prepare(arguments)
    };
    guard(prepare).map_err(|panicked| panicked_error("reading the arguments", &panicked))
}

fn unfit(error: ArgumentError) -> ToolError {
    let kind = if error.is_malformed() {
        ErrorKind::MalformedArguments
    } else {
        ErrorKind::InvalidArguments
    };
    ToolError::of_kind(kind, error)
}
