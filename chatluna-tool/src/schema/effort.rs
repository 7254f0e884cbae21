//! How far a schema and a value are looked into.

use super::Compiled;
use std::cell::Cell;

/// The most values that are looked at, over all walks, beside one for each byte.
const MAX_STEPS: usize = 200_000;
/// A text is nested 128 times at most, and each of its values may be behind a choice.
const MAX_DEPTH: usize = 256;

/// What all walks over the arguments of one call may cost together, and what they share.
pub(crate) struct Effort {
    /// How many values may still be looked at: choices within choices multiply.
    steps: Cell<usize>,
    /// How many walks and steps of a walk are within each other.
    depth: Cell<usize>,
    pub(super) patterns: Compiled,
}

impl Effort {
    /// For a text of so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            steps: Cell::new(MAX_STEPS + bytes),
            depth: Cell::new(0),
            patterns: Compiled::default(),
        }
    }

    /// Whether there is nothing left of it.
    pub(super) fn is_spent(&self) -> bool {
        self.steps.get() == 0
    }

    /// Looks at one value, one step down; `None` where that is too much, or too deep: a schema may
    /// lead back to itself without a step into the value.
    pub(super) fn enter(&self) -> Option<Level<'_>> {
        let steps = self.steps.get().checked_sub(1)?;
        self.steps.set(steps);
        let depth = self.depth.get() + 1;
        (depth <= MAX_DEPTH).then(|| {
            self.depth.set(depth);
            Level(&self.depth)
        })
    }
}

/// One step down, until it is dropped.
pub(crate) struct Level<'effort>(&'effort Cell<usize>);

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
