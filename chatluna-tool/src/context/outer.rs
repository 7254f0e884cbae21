//! The calls whose tools wait for a call.

use super::CallContext;
use crate::gate::Gate;

impl CallContext {
    /// This call, the call whose tool makes it, and so on.
    pub(crate) fn with_outer(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |call| call.0.outer.as_ref())
    }

    /// Stops the clock of this call, and of the calls whose tools wait for it, until the value is
    /// dropped.
    pub(crate) fn stop_clocks(&self) -> StoppedClocks {
        let mut calls = vec![self.clone()];
        // Nobody waits for a call that goes on in the background.
        while let Some(call) = calls.last().filter(|call| !call.is_detached())
            && let Some(outer) = call.outer().cloned()
        {
            calls.push(outer);
        }
        calls.iter().for_each(|call| call.clock().stop());
        StoppedClocks(calls)
    }

    /// The call whose tool makes this one.
    pub(crate) fn outer(&self) -> Option<&Self> {
        self.0.outer.as_ref()
    }

    /// Whether a call that waits for this one is behind the gate already. One that goes on in the
    /// background has given up its place, and nobody waits there for what it makes.
    pub(crate) fn is_inside(&self, gate: &Gate) -> bool {
        let outer = self.with_outer().skip(1);
        let mut placed = outer.take_while(|call| !call.is_detached());
        placed.any(|call| std::ptr::eq(call.0.session.gate(), gate))
    }
}

/// Clocks that stand still while somebody is asked.
pub(crate) struct StoppedClocks(Vec<CallContext>);

impl Drop for StoppedClocks {
    fn drop(&mut self) {
        self.0.iter().for_each(|call| call.clock().resume());
    }
}
