//! What a model reads of a call that is not allowed: what happened, what became of the call, and that
//! it is not to try again.

use crate::error::{ErrorKind, ToolError};
use crate::permission::{ApprovalRequest, Ruling};
use crate::tool::Effect;
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// What became of a call that has not begun.
pub(super) const NOT_RUN: &str = "nothing was run";

/// What became of the call that asks.
pub(super) fn fate(request: &ApprovalRequest) -> &'static str {
    let call = request.call().filter(|_| request.has_begun());
    match call.map(|call| call.definition().effect()) {
        None => NOT_RUN,
        Some(Effect::Read) => "it had begun, but only reads, so nothing was changed",
        Some(Effect::Write | Effect::Exec) => "it had begun, and what it did until then may stay",
    }
}

pub(super) fn denied(ruling: &Ruling<'_>, fate: &str) -> ToolError {
    let what = format_args!("the call was refused: {}", ruling.cause);
    refusal(ErrorKind::DeniedByPolicy, what, fate)
}

pub(super) fn rejected(why: &str, fate: &str) -> ToolError {
    let why = why.trim().trim_end_matches('.');
    let what = match why {
        "" => Cow::Borrowed("the call was refused without a reason"),
        why => Cow::Owned(format!("the call was refused: {why}")),
    };
    refusal(ErrorKind::DeniedByUser, what, fate)
}

pub(super) fn no_approver(why: &str, fate: &str) -> ToolError {
    let what = format_args!("the call needs an approval ({why}) and nobody is there to give it");
    refusal(ErrorKind::NoApprover, what, fate)
}

pub(super) fn expired(limit: Duration, fate: &str) -> ToolError {
    let what = format_args!("the call needs an approval and nobody answered within {limit:?}");
    refusal(ErrorKind::Expired, what, fate)
}

/// An approval that was given, and is no longer good.
pub(crate) fn too_late() -> ToolError {
    let what = "the approval of the call has expired";
    refusal(ErrorKind::Expired, what, NOT_RUN)
}

pub(super) fn panicked(message: &str, fate: &str) -> ToolError {
    let what = format_args!("the call needs an approval and whoever gives it panicked ({message})");
    refusal(ErrorKind::Panicked, what, fate)
}

/// Of arguments that are not those that the model sent.
pub(super) fn unfit(error: &ToolError) -> ToolError {
    let what = format_args!(
        "{NOT_RUN}: whoever approved the call changed its arguments, and it cannot run with those: \
         {error}"
    );
    ToolError::of_kind(error.kind(), what)
}

fn refusal(kind: ErrorKind, what: impl fmt::Display, fate: &str) -> ToolError {
    ToolError::of_kind(kind, format_args!("{what}; {fate}; do not try it again"))
}
