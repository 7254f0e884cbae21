//! How long calls ran, and how long they waited for an answer.

use crate::facts::Facts;
use crate::plan::Plan;
use crate::world::Entry;

/// How much later than its time a timer may fire: they count in whole milliseconds.
pub const ROUNDING: u64 = 2;

/// How often a clock that stands still is looked at.
pub const WHILE_WAITING: u64 = 50;

/// How long a call that is told to end may go on.
pub const GRACE: u64 = 2_000;

/// How long the call ran up to a place in the log, and for how much of that somebody was asked, by
/// it or by the calls that it makes and waits for.
pub fn ran(plan: &Plan, log: &[Entry], calls: &[Facts], call: usize, to: usize) -> (u64, u64) {
    let Some(from) = calls[call].began else {
        return (0, 0);
    };
    let asked = (0..calls.len()).filter_map(|each| {
        let asked = calls[each].asked?;
        let goes_on = |call: usize| calls[call].moved.is_some_and(|moved| moved < asked.0);
        let mut waiting = plan.with_outer(each);
        let is_waited_for = waiting.find(|&outer| outer == call || goes_on(outer)) == Some(call);
        is_waited_for.then_some(asked)
    });
    let mut asked: Vec<(usize, usize)> = asked
        .map(|(start, end)| (start.max(from), end.min(to)))
        .filter(|(start, end)| start < end)
        .collect();
    asked.sort_unstable();
    let (mut waited, mut reached) = (0, from);
    for (start, end) in asked {
        let start = start.max(reached);
        if start < end {
            waited += log[end].at - log[start].at;
            reached = end;
        }
    }
    (log[to].at - log[from].at, waited)
}
