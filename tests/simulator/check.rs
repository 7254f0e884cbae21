//! What has to hold of a batch when it is over.

use crate::case::{Case, Fault, Heeds, Reply};
use crate::facts::{Facts, Place, StepFacts, facts};
use crate::plan::{Plan, tool_name};
use crate::time::{GRACE, ROUNDING, WHILE_WAITING, ran};
use crate::world::{Entry, HEEDED, Notes, What, World, own_value};
use chatluna_tool::{ErrorKind, ToolResult};
use std::fmt::Write;
use std::ops::AddAssign;

/// What happened how often.
#[derive(Debug, Default)]
pub struct Tally {
    pub calls: u64,
    pub succeeded: u64,
    /// Calls that ran beside another.
    pub together: u64,
    /// Calls that began later than their step.
    pub waited: u64,
    pub late: u64,
    pub moved: u64,
    pub cancelled: u64,
    pub dropped: u64,
    pub refused: u64,
    pub panicked: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.succeeded += other.succeeded;
        self.together += other.together;
        self.waited += other.waited;
        self.late += other.late;
        self.moved += other.moved;
        self.cancelled += other.cancelled;
        self.dropped += other.dropped;
        self.refused += other.refused;
        self.panicked += other.panicked;
    }
}

/// What happened, a line each.
pub fn told(world: &World) -> String {
    let mut told = String::new();
    for Entry { at, what } in &world.notes().log {
        let _ = writeln!(told, "{at:>6} ms: {what:?}");
    }
    told
}

/// Checks all.
///
/// # Errors
/// The first promise that was broken, and the log.
pub fn check(case: &Case, world: &World) -> Result<Tally, String> {
    let checked = checked(case, world);
    checked.map_err(|fault| format!("{fault}\n{}", told(world)))
}

fn checked(case: &Case, world: &World) -> Result<Tally, String> {
    let notes = world.notes();
    if let Some(fault) = notes.faults.first() {
        return Err(fault.clone());
    }
    let (calls, steps) = facts(&world.plan, &notes.log)?;
    let batch = Batch {
        cap: case.max_concurrency,
        plan: &world.plan,
        notes: &notes,
        calls,
        steps,
    };
    batch.check()?;
    Ok(batch.tally())
}

struct Batch<'world> {
    cap: usize,
    plan: &'world Plan,
    notes: &'world Notes,
    calls: Vec<Facts>,
    steps: Vec<StepFacts>,
}

/// An error unless it holds.
fn holds(condition: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(fault()) }
}

impl Batch<'_> {
    fn check(&self) -> Result<(), String> {
        for call in 0..self.calls.len() {
            self.ends(call)?;
            self.keeps_its_time(call)?;
            (0..call).try_for_each(|earlier| self.keeps_apart(earlier, call))?;
        }
        for step in 0..self.steps.len() {
            self.is_answered(step)?;
            self.stops_when_dropped(step)?;
            self.holds_back(step)?;
            if self.plan.steps[step].outer.is_some() {
                let peak = self.peak(|call| self.plan.calls[call].step == step);
                self.keeps_the_cap(peak)?;
            }
        }
        self.keeps_the_cap(self.peak(|call| self.is_placed(call)))?;
        let after = self.peak(|call| self.plan.calls[call].step == self.plan.last());
        holds(after == self.cap, || {
            format!("only {after} calls at once when all was over")
        })?;
        self.tasks_end()?;
        self.cancels_count()?;
        self.never_idles()
    }

    /// Whether a call takes a place of its own in the session: it is made by no call, or by one that
    /// had given up its place by then.
    fn is_placed(&self, call: usize) -> bool {
        let began = self.calls[call].began;
        let outer = self.plan.outer(call);
        outer.is_none_or(|outer| {
            self.calls[outer]
                .moved
                .is_some_and(|moved| Some(moved) < began)
        })
    }

    fn log(&self, place: Place) -> u64 {
        self.notes.log[place].at
    }

    /// What began has ended; what was told to end did so in time, or did not begin.
    fn ends(&self, call: usize) -> Result<(), String> {
        let facts = &self.calls[call];
        holds(facts.began.is_some() == facts.ended.is_some(), || {
            format!("call {call} leaked")
        })?;
        let Some(cancelled) = facts.cancelled else {
            return Ok(());
        };
        holds(facts.began.is_none_or(|began| began < cancelled), || {
            format!("call {call} began though it was cancelled")
        })?;
        holds(facts.moved.is_none_or(|moved| moved < cancelled), || {
            format!("call {call} went on though it was cancelled")
        })?;
        let limit = self.log(cancelled) + GRACE + ROUNDING;
        holds(facts.ended.is_none_or(|end| self.log(end) <= limit), || {
            format!("call {call} was cancelled and did not end")
        })
    }

    /// Nobody waits longer than the timeout, nor does a call take longer than it has to.
    fn keeps_its_time(&self, call: usize) -> Result<(), String> {
        let (facts, planned) = (&self.calls[call], &self.plan.calls[call]);
        let (Some(out), None) = (facts.out_of_the_way(), facts.cancelled) else {
            return Ok(());
        };
        let (ran, waited) = self.ran(call, out);
        let (running, slack) = match waited {
            0 => (ran, ROUNDING),
            waited => (ran - waited, ROUNDING + WHILE_WAITING),
        };
        let limit = planned
            .call
            .limit
            .map_or(u64::MAX - slack, |limit| limit.ms);
        holds(running <= limit + slack, || {
            format!("call {call} ran {running} ms, past its timeout")
        })?;
        let pauses = &planned.call.pauses;
        let work = pauses.iter().map(|pause| pause + ROUNDING).sum::<u64>();
        holds(planned.inner.is_some() || running <= work + slack, || {
            format!("call {call} took {running} ms for {pauses:?}")
        })
    }

    fn ran(&self, call: usize, to: Place) -> (u64, u64) {
        ran(self.plan, &self.notes.log, &self.calls, call, to)
    }

    /// Calls that exclude each other do not overlap; those of one step come in call order.
    fn keeps_apart(&self, earlier: usize, later: usize) -> Result<(), String> {
        let (one, two) = (&self.plan.calls[earlier], &self.plan.calls[later]);
        let is_one_step = one.step == two.step;
        let is_placed = self.is_placed(earlier) && self.is_placed(later);
        let is_one_key = one.call.key.is_some() && one.call.key == two.call.key;
        let is_apart = is_one_key || !one.call.parallel || !two.call.parallel;
        if !is_apart || !(is_one_step || is_placed) {
            return Ok(());
        }
        let (one, two) = (&self.calls[earlier], &self.calls[later]);
        holds(!one.overlaps(two), || {
            format!("calls {earlier} and {later} overlap")
        })?;
        let is_in_order = match (one.began, two.began) {
            (Some(one), Some(two)) => one < two,
            _ => true,
        };
        holds(!is_one_step || is_in_order, || {
            format!("call {later} began before call {earlier}")
        })
    }

    /// A step whose first call has to be alone holds back all steps that come after it.
    fn holds_back(&self, step: usize) -> Result<(), String> {
        let planned = &self.plan.steps[step];
        let asks = |&call: &usize| {
            let question = self.plan.calls[call].call.question;
            question.is_some_and(|question| question.early)
        };
        let Some(&first) = planned.calls.first() else {
            return Ok(());
        };
        let (Some(opened), Some(began)) = (self.steps[step].opened, self.calls[first].began) else {
            return Ok(());
        };
        let is_beside = self.plan.calls[first].call.parallel || planned.outer.is_some();
        if is_beside || planned.calls.iter().any(asks) {
            return Ok(());
        }
        let passes = |&call: &usize| {
            let later = self.steps[self.plan.calls[call].step].opened > Some(opened);
            let earlier = self.calls[call].began.is_some_and(|other| other < began);
            later && earlier && !self.plan.is_inner(call)
        };
        match (0..self.calls.len()).find(passes) {
            Some(call) => Err(format!(
                "call {call} began before call {first}, which is alone"
            )),
            None => Ok(()),
        }
    }

    /// How many of these calls ran at once.
    fn peak(&self, counts: impl Fn(usize) -> bool) -> usize {
        let (mut running, mut peak) = (0_usize, 0);
        for (place, entry) in self.notes.log.iter().enumerate() {
            match entry.what {
                What::Began(call) if counts(call) => running += 1,
                What::Moved(call) | What::Ended(call)
                    if counts(call) && self.calls[call].out_of_the_way() == Some(place) =>
                {
                    running -= 1;
                }
                _ => {}
            }
            peak = peak.max(running);
        }
        peak
    }

    fn keeps_the_cap(&self, peak: usize) -> Result<(), String> {
        holds(peak <= self.cap, || format!("{peak} calls ran at once"))
    }

    /// One result a call, in order, and a right one.
    fn is_answered(&self, step: usize) -> Result<(), String> {
        let facts = &self.steps[step];
        let calls = &self.plan.steps[step].calls;
        let Some(results) = &self.notes.results[step] else {
            let is_over = facts.opened.is_some() == facts.dropped.is_some();
            return holds(is_over, || format!("step {step} has no results"));
        };
        holds(results.len() == calls.len(), || {
            format!("step {step} has {} results", results.len())
        })?;
        for (&call, result) in calls.iter().zip(results) {
            let said = &self.plan.calls[call].call;
            let name = tool_name(said.parallel, said.limit);
            let is_its_own = result.id() == said.id && result.name() == name;
            holds(is_its_own && self.fits(call, result), || {
                format!("call {call} is answered by {result:?}")
            })?;
        }
        Ok(())
    }

    fn fits(&self, call: usize, result: &ToolResult) -> bool {
        let facts = &self.calls[call];
        if facts.moved.is_some() {
            let mut tasks = self.notes.tasks.iter();
            let task = tasks.find(|(number, ..)| *number == call);
            let is_its_task = result.task() == task.map(|(_, task, _)| task);
            return result.error().is_none() && is_its_task;
        }
        result.task().is_none()
            && match facts.began {
                Some(_) => self.is_outcome(call, result),
                None => self.is_reason(call, result.error()),
            }
    }

    /// Whether a call may not have begun for this.
    fn is_reason(&self, call: usize, error: Option<ErrorKind>) -> bool {
        let said = &self.plan.calls[call].call;
        let early = said.question.filter(|question| question.early);
        match error {
            Some(ErrorKind::Panicked) => matches!(
                said.fault,
                Some(Fault::Prepare | Fault::Permission | Fault::Key)
            ),
            Some(ErrorKind::Cancelled) => self.calls[call].cancelled.is_some(),
            Some(ErrorKind::DeniedByUser) => {
                early.is_some_and(|question| question.answer == Reply::No)
            }
            _ => false,
        }
    }

    /// Whether a call that ran may have ended with this.
    fn is_outcome(&self, call: usize, result: &ToolResult) -> bool {
        let said = &self.plan.calls[call].call;
        let is_cancelled = self.calls[call].cancelled.is_some();
        match result.error() {
            None if result.text() == HEEDED => is_cancelled && said.heeds == Some(Heeds::Returns),
            Some(ErrorKind::Cancelled) if is_cancelled => true,
            Some(ErrorKind::Timeout) => !is_cancelled && self.is_late(call),
            error => {
                error == self.own_error(call)
                    && (error.is_some() || result.text() == own_value(call))
            }
        }
    }

    /// How a call ends that runs undisturbed; `timeout` for one that never does.
    fn own_error(&self, call: usize) -> Option<ErrorKind> {
        let said = &self.plan.calls[call].call;
        let late = said.question.filter(|question| !question.early);
        match (said.fault, late.map(|question| question.answer)) {
            (Some(Fault::Run | Fault::Drop), _) => Some(ErrorKind::Panicked),
            (_, Some(Reply::No)) => Some(ErrorKind::DeniedByUser),
            (_, Some(Reply::Never)) => Some(ErrorKind::Timeout),
            (Some(Fault::Poll), _) => Some(ErrorKind::Panicked),
            (Some(Fault::Error), _) => Some(ErrorKind::Failed),
            // It was not to begin.
            (Some(_), _) => Some(ErrorKind::Timeout),
            (None, _) => None,
        }
    }

    /// Whether the call had used up its time when it ended.
    fn is_late(&self, call: usize) -> bool {
        let limit = self.plan.calls[call].call.limit;
        let limit = limit.filter(|limit| !limit.background);
        let (Some(limit), Some(end)) = (limit, self.calls[call].ended) else {
            return false;
        };
        let (ran, waited) = self.ran(call, end);
        ran - waited + 1 >= limit.ms
    }

    fn stops_when_dropped(&self, step: usize) -> Result<(), String> {
        let Some(dropped) = self.steps[step].dropped else {
            return Ok(());
        };
        let of_step = self.plan.steps[step].calls.iter();
        let mut own = of_step.filter(|&&call| self.calls[call].moved.is_none());
        let has_stopped = |facts: &Facts| {
            let end = facts.ended.map(|end| self.log(end));
            facts.began.is_none_or(|began| began < dropped)
                && end.is_none_or(|end| end <= self.log(dropped) + ROUNDING)
        };
        match own.find(|&&call| !has_stopped(&self.calls[call])) {
            Some(call) => Err(format!("call {call} went on when its step was dropped")),
            None => Ok(()),
        }
    }

    /// Each call that went on in the background did so at its time, and gave its own result.
    fn tasks_end(&self) -> Result<(), String> {
        for (call, task, result) in &self.notes.tasks {
            let limit = self.plan.calls[*call].call.limit;
            let limit = limit.filter(|limit| limit.background);
            let moved = self.calls[*call].moved.unwrap_or_default();
            let (ran, waited) = self.ran(*call, moved);
            let is_late = limit.is_some_and(|limit| ran - waited + 1 >= limit.ms);
            holds(is_late, || format!("call {call} became {task} too early"))?;
            let fits = |result: &ToolResult| {
                result.id() == self.plan.calls[*call].call.id && self.is_outcome(*call, result)
            };
            holds(result.as_ref().is_some_and(fits), || {
                format!("{task}, call {call}, gave {result:?}")
            })?;
        }
        Ok(())
    }

    /// `Session::cancel` tells no less than the calls that run, and no more than there are.
    fn cancels_count(&self) -> Result<(), String> {
        for (place, entry) in self.notes.log.iter().enumerate() {
            let What::Cancelled(id, count) = &entry.what else {
                continue;
            };
            let calls = self.plan.calls.iter().enumerate();
            let own = calls.filter(|(_, planned)| {
                let is_meant = id.as_ref().is_none_or(|id| planned.call.id == *id);
                let opened = self.steps[planned.step].opened;
                is_meant && opened.is_some_and(|opened| opened < place)
            });
            let own: Vec<&Facts> = own.map(|(call, _)| &self.calls[call]).collect();
            let runs = |facts: &&&Facts| {
                facts.began.is_some_and(|began| began < place)
                    && facts.ended.is_some_and(|ended| place < ended)
            };
            let running = own.iter().filter(runs).count();
            holds((running..=own.len()).contains(count), || {
                format!("{count} calls were told to end, and {running} ran")
            })?;
        }
        Ok(())
    }

    /// No time passes in which a step is open and none of its calls, nor those of another, run or
    /// ask.
    fn never_idles(&self) -> Result<(), String> {
        let (mut open, mut busy) = (0_u32, 0_u32);
        for (place, pair) in self.notes.log.windows(2).enumerate() {
            let is_outermost = |call: usize| !self.plan.is_inner(call);
            match pair[0].what {
                What::Opened(step) if self.plan.steps[step].outer.is_none() => open += 1,
                What::Closed(step) | What::Dropped(step)
                    if self.plan.steps[step].outer.is_none() =>
                {
                    open -= 1;
                }
                What::Began(call) if self.is_placed(call) => busy += 1,
                What::Moved(call) | What::Ended(call)
                    if self.is_placed(call) && self.calls[call].out_of_the_way() == Some(place) =>
                {
                    busy -= 1;
                }
                What::Asked(call) if is_outermost(call) => busy += 1,
                What::Answered(call) if is_outermost(call) => busy -= 1,
                _ => {}
            }
            holds(open == 0 || busy > 0 || pair[0].at == pair[1].at, || {
                format!("nothing ran from {} ms on", pair[0].at)
            })?;
        }
        Ok(())
    }

    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for step in &self.steps {
            tally.dropped += u64::from(step.dropped.is_some());
        }
        for result in self.notes.results.iter().flatten().flatten() {
            let count = match result.error() {
                None => &mut tally.succeeded,
                Some(ErrorKind::Timeout) => &mut tally.late,
                Some(ErrorKind::Cancelled) => &mut tally.cancelled,
                Some(ErrorKind::DeniedByUser) => &mut tally.refused,
                _ => &mut tally.panicked,
            };
            *count += 1;
            tally.calls += 1;
        }
        for (call, facts) in self.calls.iter().enumerate() {
            let opened = self.steps[self.plan.calls[call].step].opened;
            let times = facts.began.zip(opened);
            let has_waited =
                times.is_some_and(|(began, opened)| self.log(began) > self.log(opened));
            let runs_beside = |other: usize| other != call && facts.overlaps(&self.calls[other]);
            tally.waited += u64::from(has_waited);
            tally.moved += u64::from(facts.moved.is_some());
            tally.together += u64::from((0..self.calls.len()).any(runs_beside));
        }
        tally
    }
}
