//! What a model reads of a call that is not allowed.

use crate::error::{ErrorKind, ToolError};
use crate::permission::Ruling;
use std::time::Duration;

pub(super) fn denied(ruling: &Ruling<'_>) -> ToolError {
    let cause = &ruling.cause;
    ToolError::of_kind(
        ErrorKind::DeniedByPolicy,
        format_args!("the call was refused: {cause}; do not try it again"),
    )
}

pub(super) fn rejected(why: &str) -> ToolError {
    ToolError::of_kind(
        ErrorKind::DeniedByUser,
        format_args!("the call was refused: {why}; do not try it again"),
    )
}

pub(super) fn no_approver(why: &str) -> ToolError {
    ToolError::of_kind(
        ErrorKind::NoApprover,
        format_args!(
            "the call needs an approval ({why}) and nobody is there to give it; do not try it again"
        ),
    )
}

pub(super) fn expired(limit: Duration) -> ToolError {
    ToolError::of_kind(
        ErrorKind::Expired,
        format_args!(
            "the call needs an approval and nobody answered within {limit:?}; do not try it again"
        ),
    )
}

/// An approval that was given, and is no longer good.
pub(crate) fn too_late() -> ToolError {
    ToolError::of_kind(
        ErrorKind::Expired,
        "the approval of the call has expired and nothing was run; do not try it again",
    )
}

pub(super) fn panicked(message: &str) -> ToolError {
    ToolError::of_kind(
        ErrorKind::Panicked,
        format_args!("the approver panicked: {message}"),
    )
}
