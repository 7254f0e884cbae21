//! What the marks of a method are.

use crate::corpus::{Corpus, Query};
use crate::methods::Method;
use std::time::Instant;

/// How many tools an answer brings, when its cost is measured.
pub const LIMIT: usize = 5;

/// The depths at which recall is taken; the last is as far as a ranking is looked at.
pub const DEPTHS: [usize; 4] = [1, 3, 5, 10];

const DEEPEST: usize = 10;

/// Averages over queries.
pub struct Marks {
    /// The share of the needed tools that are among the first, for each of [`DEPTHS`].
    pub recall: [f64; 4],
    /// One by the rank of the first needed tool, nought where it is none of ten.
    pub mrr: f64,
}

/// Of one query, in microseconds.
pub struct Times {
    pub mean: f64,
    pub median: f64,
    pub p99: f64,
}

/// What a query finds, as far as it is looked at.
pub type Ranked<'corpus> = (&'corpus Query, Vec<usize>);

pub fn ranked<'corpus>(corpus: &'corpus Corpus, method: &Method) -> Vec<Ranked<'corpus>> {
    let queries = corpus.queries.iter();
    queries
        .map(|query| (query, (method.search)(query, DEEPEST)))
        .collect()
}

pub fn marks(ranked: &[Ranked<'_>]) -> Marks {
    let mean = |of: &dyn Fn(&Query, &[usize]) -> f64| {
        let all = ranked.iter().map(|(query, found)| of(query, found));
        all.sum::<f64>() / ranked.len().max(1) as f64
    };
    Marks {
        recall: DEPTHS.map(|depth| mean(&|query, found| recall(query, found, depth))),
        mrr: mean(&|query, found| reciprocal_rank(query, found)),
    }
}

fn recall(query: &Query, found: &[usize], depth: usize) -> f64 {
    let first = &found[..depth.min(found.len())];
    let hit = query
        .groups
        .iter()
        .filter(|group| group.iter().any(|tool| first.contains(tool)));
    hit.count() as f64 / query.groups.len().max(1) as f64
}

fn reciprocal_rank(query: &Query, found: &[usize]) -> f64 {
    let is_needed = |tool: &usize| query.groups.iter().flatten().any(|needed| needed == tool);
    found
        .iter()
        .position(is_needed)
        .map_or(0.0, |rank| 1.0 / (rank + 1) as f64)
}

/// Measured one query after the other, on this thread, with everything warm.
pub fn times(corpus: &Corpus, method: &Method) -> Times {
    let time = |query: &Query| {
        let start = Instant::now();
        std::hint::black_box((method.search)(query, LIMIT));
        start.elapsed().as_secs_f64() * 1e6
    };
    let mut all: Vec<f64> = corpus.queries.iter().map(time).collect();
    all.sort_by(f64::total_cmp);
    let at = |hundredths: usize| all.get(all.len() * hundredths / 100).copied();
    Times {
        mean: all.iter().sum::<f64>() / all.len().max(1) as f64,
        median: at(50).unwrap_or_default(),
        p99: at(99).unwrap_or_default(),
    }
}
