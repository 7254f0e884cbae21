//! How a call ends: what its future gave, or what became of it, as its result.

use super::{ReadyCall, no_tokio, since};
use crate::call::ToolResult;
use crate::deadline::Expired;
use crate::error::{ErrorKind, ToolError};
use crate::event::EventKind;
use crate::guard::Panicked;
use crate::tool::Effect;
use crate::work::Outcome;
use std::time::Duration;

impl ReadyCall {
    /// Ends a call that will not run.
    pub(crate) fn refuse(&mut self, error: ToolError) -> ToolResult {
        self.result(Err(error))
    }

    /// Ends the call with what its future gave.
    #[inline]
    pub(crate) fn close(&mut self, outcome: Result<Outcome, Panicked>) -> ToolResult {
        match outcome {
            Ok(Ok(output)) => self.result(Ok(output)),
            failed => self.ended(Ok(failed)),
        }
    }

    /// Ends a call that has run for longer than it ever may.
    pub fn expire(mut self, limit: Duration) -> ToolResult {
        let error = self.late(limit);
        self.result(Err(error))
    }

    pub(super) fn ended(
        &mut self,
        driven: Result<Result<Outcome, Panicked>, Expired>,
    ) -> ToolResult {
        let outcome = match driven {
            Ok(Ok(Ok(output))) => Ok(output),
            Ok(Ok(Err(error))) => Err(self.failure(error)),
            Ok(Err(panicked)) => Err(panicked.error("the tool")),
            Err(Expired::Timeout) => Err(self.late(self.call.timeout())),
            Err(Expired::Cancelled) => Err(self.cancelled()),
            Err(Expired::NoTimer) => Err(no_tokio()),
        };
        self.result(outcome)
    }

    /// What the tool says went wrong, under the kind that it is.
    fn failure(&self, error: ToolError) -> ToolError {
        match self.call.refusal() {
            Some(kind) => ToolError::of_kind(kind, error),
            None if self.call.is_cancelled() => ToolError::of_kind(ErrorKind::Cancelled, error),
            None => error,
        }
    }

    fn late(&self, limit: Duration) -> ToolError {
        let (end, after) = (self.end(), self.effect());
        ToolError::of_kind(
            ErrorKind::Timeout,
            format_args!("the call took longer than {limit:?} and was {end}; {after}"),
        )
    }

    fn cancelled(&self) -> ToolError {
        let (end, after) = (self.end(), self.effect());
        ToolError::of_kind(
            ErrorKind::Cancelled,
            format_args!("the call was cancelled and {end}; {after}"),
        )
    }

    fn end(&self) -> &'static str {
        if self.call.is_on_thread() {
            "given up, its thread runs to its end"
        } else {
            "stopped"
        }
    }

    fn effect(&self) -> &'static str {
        match self.call.definition().effect() {
            Effect::Read => "it only reads, so nothing was changed",
            Effect::Write | Effect::Exec => "its effect may or may not have happened",
        }
    }

    /// The call is over: nothing is left to run, and nobody has to wait for it.
    pub(super) fn result(&mut self, mut outcome: Outcome) -> ToolResult {
        self.stop();
        let session = self.call.session_handle();
        session.fit(self.call.definition(), &mut outcome);
        let elapsed = since(self.started);
        let error = outcome.as_ref().err().map(ToolError::kind);
        if let (Some(span), Some(kind)) = (&self.span, error) {
            span.record("error.type", kind.as_str());
        }
        if self.call.is_detached() {
            self.call.tell_of_task();
        }
        self.call.emit(|| EventKind::Finished { error, elapsed });
        let (id, shown) = self.call.take_rest();
        let name = std::mem::take(&mut self.name);
        if shown.is_none() && self.rare.is_none() {
            return ToolResult::timed(id, name, outcome, elapsed);
        }
        let mut result = ToolResult::timed(id, name, outcome, elapsed);
        if let Some(shown) = shown {
            result.set_shown(*shown);
        }
        if let Some(rare) = self.rare.take() {
            result.set_repairs(rare.notes.repairs);
            if let Some(fingerprint) = rare.notes.fingerprint {
                let failures = self.call.session_handle().failures();
                failures.note(fingerprint, error);
            }
        }
        result
    }

    /// Drops what is left of the tool's code; what it spawned hears of that.
    pub(super) fn stop(&mut self) {
        if !self.work.is_over() {
            self.call.signal().fire();
            self.work.abandon();
        }
    }
}
