//! What the log says of each call and each step.

use crate::plan::Plan;
use crate::world::{Entry, What};

/// A place in the log.
pub type Place = usize;

/// When a call did what.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub began: Option<Place>,
    /// It went on in the background.
    pub moved: Option<Place>,
    pub ended: Option<Place>,
    /// It was told to end, before it had.
    pub cancelled: Option<Place>,
    /// Somebody was asked: from, to.
    pub asked: Option<(Place, Place)>,
}

impl Facts {
    /// When nobody has to wait for it any more.
    pub fn out_of_the_way(&self) -> Option<Place> {
        self.moved.or(self.ended)
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        let before = |one: &Self, two: &Self| match (one.out_of_the_way(), two.began) {
            (Some(out), Some(began)) => out < began,
            // One of the two never ran.
            _ => true,
        };
        !before(self, other) && !before(other, self)
    }
}

/// When a step did what.
#[derive(Clone, Debug, Default)]
pub struct StepFacts {
    pub opened: Option<Place>,
    pub closed: Option<Place>,
    pub dropped: Option<Place>,
}

/// Reads the log.
///
/// # Errors
/// What happened twice.
pub fn facts(plan: &Plan, log: &[Entry]) -> Result<(Vec<Facts>, Vec<StepFacts>), String> {
    let mut calls = vec![Facts::default(); plan.calls.len()];
    let mut steps = vec![StepFacts::default(); plan.steps.len()];
    for (place, entry) in log.iter().enumerate() {
        let slot = match entry.what {
            What::Opened(step) => &mut steps[step].opened,
            What::Closed(step) => &mut steps[step].closed,
            What::Dropped(step) => &mut steps[step].dropped,
            What::Began(call) => &mut calls[call].began,
            What::Moved(call) => &mut calls[call].moved,
            What::Ended(call) => &mut calls[call].ended,
            What::Asked(call) => {
                calls[call].asked = Some((place, usize::MAX));
                continue;
            }
            What::Answered(call) => {
                calls[call].asked = calls[call].asked.map(|(from, _)| (from, place));
                continue;
            }
            What::Cancelled(..) => continue,
        };
        if slot.replace(place).is_some() {
            return Err(format!("twice: {:?}", entry.what));
        }
    }
    for call in 0..calls.len() {
        calls[call].cancelled = cancelled(plan, log, &calls, &steps, call);
    }
    Ok((calls, steps))
}

/// When the call was told to end: it or one of those that make it, after it came in.
fn cancelled(
    plan: &Plan,
    log: &[Entry],
    calls: &[Facts],
    steps: &[StepFacts],
    call: usize,
) -> Option<Place> {
    let step = &steps[plan.calls[call].step];
    let opened = step.opened?;
    let end = calls[call].ended.or(step.closed).or(step.dropped);
    // A call of one that is told to end never begins. Outer calls have lower numbers.
    let outer = plan.outer(call).and_then(|outer| calls[outer].cancelled);
    if outer.is_some_and(|outer| outer < opened) {
        return Some(opened);
    }
    let matches = |what: &What| match what {
        What::Cancelled(None, _) => true,
        What::Cancelled(Some(id), _) => plan
            .with_outer(call)
            .any(|call| plan.calls[call].call.id == *id),
        _ => false,
    };
    let mut places = opened..end.unwrap_or(log.len());
    places.find(|&place| matches(&log[place].what))
}
