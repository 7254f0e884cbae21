//! What a batch is, as data, and how one is made from a seed.

use fastrand::Rng;
use std::fmt;

/// What happens in one session.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub max_concurrency: usize,
    pub steps: Vec<Step>,
    pub cancels: Vec<Cancel>,
}

/// One `execute`. Times are milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub at: u64,
    pub dropped_after: Option<u64>,
    pub calls: Vec<Call>,
}

/// `Session::cancel` of an id, else `Session::abort`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cancel {
    pub at: u64,
    pub id: Option<String>,
}

/// One call: what its tool is, and what it does.
#[derive(Clone, Default, PartialEq)]
pub struct Call {
    pub id: String,
    pub parallel: bool,
    pub key: Option<&'static str>,
    /// How long it sleeps, time after time; zero only yields.
    pub pauses: Vec<u64>,
    pub limit: Option<Limit>,
    pub question: Option<Question>,
    pub fault: Option<Fault>,
    /// What it does when it is cancelled, unless it takes no notice.
    pub heeds: Option<Heeds>,
    /// A step that it makes in its own session, half way.
    pub inner: Vec<Call>,
}

/// A timeout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    pub ms: u64,
    pub background: bool,
}

/// The timeouts that tools have.
pub const LIMITS: [u64; 2] = [4, 12];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// Whether the policy asks, before the step runs; else the tool does, half way.
    pub early: bool,
    pub after: u64,
    pub answer: Reply,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reply {
    Yes,
    No,
    Never,
}

/// What goes wrong in the tool's code: a panic, but for the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    Prepare,
    Permission,
    Key,
    Run,
    Poll,
    Drop,
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heeds {
    Returns,
    Fails,
}

/// What may happen in a batch.
#[derive(Clone, Copy, Default)]
pub struct Weather {
    pub limits: bool,
    pub questions: bool,
    pub faults: bool,
    pub inner: bool,
    pub cancels: bool,
    pub drops: bool,
}

impl Case {
    pub fn new(seed: u64, weather: Weather) -> Self {
        let mut maker = Maker {
            rng: Rng::with_seed(seed),
            weather,
            made: 0,
        };
        maker.case()
    }

    /// Whether somebody is asked who never answers.
    pub fn hangs(&self) -> bool {
        self.steps.iter().flat_map(|step| &step.calls).any(hangs)
    }
}

fn hangs(call: &Call) -> bool {
    let never = |question: Question| question.answer == Reply::Never;
    call.question.is_some_and(never) || call.inner.iter().any(hangs)
}

struct Maker {
    rng: Rng,
    weather: Weather,
    made: usize,
}

impl Maker {
    /// True in one of so many.
    fn one_in(&mut self, many: u32) -> bool {
        self.rng.u32(..many) == 0
    }

    fn case(&mut self) -> Case {
        let count = [1, 2, 2, 3][self.rng.usize(..4)];
        let steps: Vec<Step> = (0..count).map(|_| self.step()).collect();
        let count = match self.weather.cancels {
            true => self.rng.usize(..=2),
            false => 0,
        };
        Case {
            max_concurrency: self.rng.usize(1..=4),
            cancels: (0..count).map(|_| self.cancel(&steps)).collect(),
            steps,
        }
    }

    fn step(&mut self) -> Step {
        let calls = if self.one_in(4) {
            1
        } else {
            self.rng.usize(1..=8)
        };
        let drops = self.weather.drops && self.one_in(3);
        Step {
            at: self.rng.u64(..6),
            dropped_after: drops.then(|| self.rng.u64(..20)),
            calls: (0..calls).map(|_| self.call(0)).collect(),
        }
    }

    fn cancel(&mut self, steps: &[Step]) -> Cancel {
        let calls: Vec<&Call> = steps.iter().flat_map(|step| &step.calls).collect();
        let call = calls[self.rng.usize(..calls.len())];
        let inner = call.inner.first().filter(|_| self.rng.bool());
        let id = inner.unwrap_or(call).id.clone();
        Cancel {
            at: self.rng.u64(..25),
            id: (!self.one_in(5)).then_some(id),
        }
    }

    fn call(&mut self, depth: u32) -> Call {
        self.made += 1;
        let weather = self.weather;
        let nests = weather.inner && depth < 2 && self.one_in(6);
        Call {
            id: self.id(),
            parallel: !self.one_in(4),
            key: [None, None, Some("a"), Some("b")][self.rng.usize(..4)],
            pauses: (0..self.rng.u32(..4)).map(|_| self.pause()).collect(),
            limit: (weather.limits && self.one_in(2)).then(|| self.limit()),
            question: (weather.questions && self.one_in(4)).then(|| self.question()),
            fault: (weather.faults && self.one_in(4)).then(|| self.fault()),
            heeds: [None, Some(Heeds::Returns), Some(Heeds::Fails)][self.rng.usize(..3)],
            inner: (0..if nests { self.rng.u32(1..=3) } else { 0 })
                .map(|_| self.call(depth + 1))
                .collect(),
        }
    }

    /// Most ids are a call's own; some repeat, some are empty.
    fn id(&mut self) -> String {
        match self.rng.u32(..10) {
            0 => String::new(),
            1 => "again".to_owned(),
            _ => format!("call_{}", self.made),
        }
    }

    /// A few milliseconds; now and then more than a call has that is told to end.
    fn pause(&mut self) -> u64 {
        if self.one_in(30) {
            3_000
        } else {
            self.rng.u64(..8)
        }
    }

    fn limit(&mut self) -> Limit {
        Limit {
            ms: LIMITS[self.rng.usize(..LIMITS.len())],
            background: self.rng.bool(),
        }
    }

    fn question(&mut self) -> Question {
        Question {
            early: self.rng.bool(),
            after: self.rng.u64(..10),
            answer: match self.rng.u32(..8) {
                0 => Reply::Never,
                1 | 2 => Reply::No,
                _ => Reply::Yes,
            },
        }
    }

    fn fault(&mut self) -> Fault {
        const ALL: [Fault; 7] = [
            Fault::Prepare,
            Fault::Permission,
            Fault::Key,
            Fault::Run,
            Fault::Poll,
            Fault::Drop,
            Fault::Error,
        ];
        ALL[self.rng.usize(..ALL.len())]
    }
}

/// What is special of the call.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.parallel { "parallel" } else { "alone" };
        write!(f, "{:?} {kind}, pauses {:?}", self.id, self.pauses)?;
        self.key.map_or(Ok(()), |key| write!(f, ", key {key:?}"))?;
        let Self { limit, fault, .. } = self;
        limit.map_or(Ok(()), |limit| write!(f, ", {limit:?}"))?;
        self.question
            .map_or(Ok(()), |question| write!(f, ", {question:?}"))?;
        fault.map_or(Ok(()), |fault| write!(f, ", fault {fault:?}"))?;
        self.heeds
            .map_or(Ok(()), |heeds| write!(f, ", when cancelled {heeds:?}"))?;
        match self.inner.is_empty() {
            true => Ok(()),
            false => write!(f, ", calls {:?}", self.inner),
        }
    }
}
