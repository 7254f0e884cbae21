//! What has failed in a turn: a model that makes the same call again and again is told to stop.

use crate::call::ToolCall;
use crate::error::{ErrorKind, ToolError};
use foldhash::quality::FixedState;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often the same call may fail in a row.
const MAX_FAILURES: u32 = 2;

/// What calls that are the same have in common: the tool's name and the arguments, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn of(call: &ToolCall) -> Self {
        let written = (&*call.name, call.arguments.text().trim_ascii());
        Self(FixedState::default().hash_one(written))
    }
}

/// The calls of a turn that failed when they were last made, and how often in a row.
#[derive(Debug, Default)]
pub(crate) struct Failures(Mutex<HashMap<Fingerprint, u32>>);

impl Failures {
    /// A new turn knows of none.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// # Errors
    /// When the same call has failed often enough.
    pub(crate) fn check(&self, call: Fingerprint) -> Result<(), ToolError> {
        match self.lock().get(&call) {
            Some(&count) if count >= MAX_FAILURES => Err(repeated(count)),
            _ => Ok(()),
        }
    }

    pub(crate) fn note(&self, call: Fingerprint, error: Option<ErrorKind>) {
        match error {
            // It says nothing about the call.
            Some(ErrorKind::Cancelled | ErrorKind::Repeated) => {}
            Some(_) => *self.lock().entry(call).or_default() += 1,
            None => drop(self.lock().remove(&call)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, u32>> {
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
