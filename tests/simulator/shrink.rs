//! A smaller case that fails as well.

use crate::case::{Call, Case};

/// Takes things away for as long as the rest still fails.
pub fn shrunk(mut case: Case, fails: impl Fn(&Case) -> bool) -> Case {
    while let Some(smaller) = smaller(&case).into_iter().find(|each| fails(each)) {
        case = smaller;
    }
    case
}

/// The case with one thing less, each in turn; those that take most away first.
fn smaller(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    let mut push = |change: &dyn Fn(&mut Case)| {
        let mut less = case.clone();
        change(&mut less);
        if less != *case {
            found.push(less);
        }
    };
    for step in 0..case.steps.len() {
        push(&|case| drop(case.steps.remove(step)));
    }
    for cancel in 0..case.cancels.len() {
        push(&|case| drop(case.cancels.remove(cancel)));
    }
    for (index, step) in case.steps.iter().enumerate() {
        push(&|case| case.steps[index].dropped_after = None);
        push(&|case| case.steps[index].at = 0);
        for calls in fewer(&step.calls) {
            push(&|case| case.steps[index].calls.clone_from(&calls));
        }
    }
    push(&|case| case.max_concurrency = 1.max(case.max_concurrency - 1));
    found
}

/// The calls with one less, then with one that is simpler.
fn fewer(calls: &[Call]) -> Vec<Vec<Call>> {
    let mut found = Vec::new();
    for index in 0..calls.len() {
        found.push(without(calls, index));
    }
    for (index, call) in calls.iter().enumerate() {
        found.extend(simpler(call).into_iter().map(|simpler| {
            let mut calls = calls.to_vec();
            calls[index] = simpler;
            calls
        }));
    }
    found
}

fn simpler(call: &Call) -> Vec<Call> {
    let mut found = Vec::new();
    let mut push = |change: &dyn Fn(&mut Call)| {
        let mut less = call.clone();
        change(&mut less);
        if less != *call {
            found.push(less);
        }
    };
    push(&|call| call.inner.clear());
    push(&|call| call.question = None);
    push(&|call| call.fault = None);
    push(&|call| call.limit = None);
    push(&|call| call.key = None);
    push(&|call| call.heeds = None);
    for pause in 0..call.pauses.len() {
        push(&|call| call.pauses = without(&call.pauses, pause));
    }
    for inner in fewer(&call.inner) {
        push(&|call| call.inner.clone_from(&inner));
    }
    found
}

fn without<T: Clone>(items: &[T], index: usize) -> Vec<T> {
    let mut items = items.to_vec();
    items.remove(index);
    items
}
