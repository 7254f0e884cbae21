//! A case laid out flat: each call and each step has a number.

use crate::case::{Call, Case, LIMITS, Limit};
use chatluna_tool::ToolCall;

/// Every `execute` of a case, in the order of the case; the last one shows that the session still
/// works when all is over.
pub struct Plan {
    pub calls: Vec<Planned>,
    pub steps: Vec<PlannedStep>,
}

pub struct Planned {
    pub call: Call,
    pub step: usize,
    /// The step that it makes.
    pub inner: Option<usize>,
}

pub struct PlannedStep {
    /// The call that makes it.
    pub outer: Option<usize>,
    pub calls: Vec<usize>,
}

impl Plan {
    pub fn new(case: &Case) -> Self {
        let mut plan = Self {
            calls: Vec::new(),
            steps: Vec::new(),
        };
        for step in &case.steps {
            plan.add(&step.calls, None);
        }
        plan.add(&of_every_kind(case.max_concurrency), None);
        plan
    }

    fn add(&mut self, calls: &[Call], outer: Option<usize>) -> usize {
        let step = self.steps.len();
        let first = self.calls.len();
        self.steps.push(PlannedStep {
            outer,
            calls: (first..first + calls.len()).collect(),
        });
        self.calls.extend(calls.iter().map(|call| Planned {
            call: call.clone(),
            step,
            inner: None,
        }));
        for (index, call) in calls.iter().enumerate() {
            if !call.inner.is_empty() {
                self.calls[first + index].inner = Some(self.add(&call.inner, Some(first + index)));
            }
        }
        step
    }

    /// The steps that no call makes, but for the last.
    pub fn outermost(&self) -> impl Iterator<Item = usize> {
        let steps = 0..self.last();
        steps.filter(|&step| self.steps[step].outer.is_none())
    }

    pub fn last(&self) -> usize {
        self.steps.len() - 1
    }

    pub fn is_inner(&self, call: usize) -> bool {
        self.outer(call).is_some()
    }

    pub fn outer(&self, call: usize) -> Option<usize> {
        self.steps[self.calls[call].step].outer
    }

    /// The call, the one that makes it, and so on.
    pub fn with_outer(&self, call: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(call), |&call| self.outer(call))
    }

    /// What the model says.
    pub fn said(&self, step: usize) -> Vec<ToolCall> {
        let calls = self.steps[step].calls.iter();
        calls
            .map(|&index| {
                let call = &self.calls[index].call;
                let name = tool_name(call.parallel, call.limit);
                ToolCall::new(name, format!(r#"{{"call": {index}}}"#)).id(&*call.id)
            })
            .collect()
    }
}

/// More parallel calls than may run at once, two of each key, and two that have to be alone.
fn of_every_kind(max_concurrency: usize) -> Vec<Call> {
    let call = |parallel, key| Call {
        parallel,
        key,
        pauses: vec![1],
        ..Call::default()
    };
    let mut calls = vec![call(true, None); max_concurrency + 1];
    calls.extend([Some("a"), Some("a"), Some("b"), Some("b")].map(|key| call(true, key)));
    calls.extend([call(false, None), call(false, Some("a"))]);
    calls
}

pub fn tool_name(parallel: bool, limit: Option<Limit>) -> String {
    let kind = if parallel { "parallel" } else { "alone" };
    match limit {
        None => kind.to_owned(),
        Some(limit) if limit.background => format!("{kind}_{}_background", limit.ms),
        Some(limit) => format!("{kind}_{}", limit.ms),
    }
}

/// What tells the tools apart.
pub fn tools() -> Vec<(bool, Option<Limit>)> {
    let limits = LIMITS.into_iter().flat_map(|ms| {
        let limit = |background| Some(Limit { ms, background });
        [limit(true), limit(false)]
    });
    let limits: Vec<Option<Limit>> = limits.chain([None]).collect();
    let both = [true, false].into_iter();
    both.flat_map(|parallel| {
        limits
            .clone()
            .into_iter()
            .map(move |limit| (parallel, limit))
    })
    .collect()
}
