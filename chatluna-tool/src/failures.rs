//! What has failed in a turn: a model that makes the same call again and again is told to stop.

use crate::call::ToolCall;
use crate::error::{ErrorKind, ToolError};
use foldhash::quality::FixedState;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often the same call may fail in a row.
const MAX_FAILURES: u32 = 2;

/// What calls of a turn that are the same have in common: the tool's name and the arguments, as
/// written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    turn: u64,
    written: u64,
}

/// The calls of a turn that failed when they were last made, and how often in a row.
#[derive(Debug, Default)]
pub(crate) struct Failures(Mutex<Turn>);

#[derive(Debug, Default)]
struct Turn {
    number: u64,
    counts: HashMap<u64, u32>,
}

impl Failures {
    /// A new turn knows of none.
    pub(crate) fn clear(&self) {
        let mut turn = self.lock();
        turn.number += 1;
        turn.counts.clear();
    }

    /// A call that is made now.
    pub(crate) fn fingerprint(&self, call: &ToolCall) -> Fingerprint {
        let written = (&*call.name, call.arguments.text().trim_ascii());
        Fingerprint {
            turn: self.lock().number,
            written: FixedState::default().hash_one(written),
        }
    }

    /// # Errors
    /// When the same call has failed often enough.
    pub(crate) fn check(&self, call: Fingerprint) -> Result<(), ToolError> {
        match self.lock().counts.get(&call.written) {
            Some(&count) if count >= MAX_FAILURES => Err(repeated(count)),
            _ => Ok(()),
        }
    }

    /// Notes how a call ended. One that was made in an earlier turn, as a task may have been, says
    /// nothing about this one.
    pub(crate) fn note(&self, call: Fingerprint, error: Option<ErrorKind>) {
        let mut turn = self.lock();
        if turn.number != call.turn {
            return;
        }
        match error {
            // It says nothing about the call.
            Some(ErrorKind::Cancelled | ErrorKind::Repeated) => {}
            Some(_) => *turn.counts.entry(call.written).or_default() += 1,
            None => drop(turn.counts.remove(&call.written)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn repeated(count: u32) -> ToolError {
    ToolError::of_kind(
        ErrorKind::Repeated,
        format_args!(
            "this very call has failed {count} times in a row and was not run again; \
             change the arguments, or go on without it"
        ),
    )
}
