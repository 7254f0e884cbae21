//! The figures, printed.

use crate::corpus::Corpus;
use crate::figures::{LIMIT, Marks, Ranked, Times, marks, ranked, times};
use crate::methods::{Built, Method};
use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};

/// A method on a corpus.
pub struct Row {
    corpus: String,
    method: &'static str,
    queries: usize,
    marks: Marks,
    times: Times,
    cost: Option<Cost>,
}

/// What is known of our method alone.
struct Cost {
    milliseconds: f64,
    mebibytes: f64,
    tokens_all: usize,
    tokens_search: f64,
}

impl Row {
    pub fn of(corpus: &Corpus, method: &Method) -> Self {
        let ranked = ranked(corpus, method);
        let cost = method.built.as_ref();
        Self {
            corpus: corpus.name.clone(),
            method: method.name,
            queries: corpus.queries.len(),
            marks: marks(&ranked),
            times: times(corpus, method),
            cost: cost.map(|built| Cost::of(&ranked, built)),
        }
    }
}

impl Cost {
    fn of(ranked: &[Ranked<'_>], built: &Built) -> Self {
        let found = ranked
            .iter()
            .flat_map(|(_, found)| found.iter().take(LIMIT));
        let found: usize = found.map(|&tool| built.tokens[tool]).sum();
        let found = found as f64 / ranked.len().max(1) as f64;
        Self {
            milliseconds: built.milliseconds,
            mebibytes: built.mebibytes,
            tokens_all: built.tokens.iter().sum(),
            tokens_search: built.tokens_resident as f64 + found,
        }
    }
}

/// What `--json` says of a method.
#[derive(Serialize)]
struct Figures<'row> {
    corpus: &'row str,
    method: &'row str,
    queries: usize,
    r1: f64,
    r3: f64,
    r5: f64,
    r10: f64,
    mrr: f64,
    us_per_query: f64,
    tokens_all: Option<usize>,
    tokens_search: Option<f64>,
}

impl<'row> Figures<'row> {
    fn of(row: &'row Row) -> Self {
        let [r1, r3, r5, r10] = row.marks.recall.map(|recall| rounded(recall, 1e4));
        let cost = row.cost.as_ref();
        Self {
            corpus: &row.corpus,
            method: row.method,
            queries: row.queries,
            r1,
            r3,
            r5,
            r10,
            mrr: rounded(row.marks.mrr, 1e4),
            us_per_query: rounded(row.times.mean, 10.0),
            tokens_all: cost.map(|cost| cost.tokens_all),
            tokens_search: cost.map(|cost| rounded(cost.tokens_search, 10.0)),
        }
    }
}

fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

/// Prints a list of objects.
pub fn json(rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let figures: Vec<Figures> = rows.iter().map(Figures::of).collect();
    writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&figures)?)?;
    Ok(())
}

/// Prints a line for each row, below what its figures are.
pub fn table(rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    if !rows.is_empty() {
        writeln!(out, "{HEAD}")?;
    }
    for Row {
        corpus,
        method,
        queries,
        marks,
        times,
        cost,
    } in rows
    {
        let [r1, r3, r5, r10] = marks.recall;
        write!(
            out,
            "{corpus:<10} {method:<16} {queries:>7} {r1:>6.3} {r3:>6.3} {r5:>6.3} {r10:>6.3} {:>6.3} {:>8.0} {:>8.0} {:>8.0}",
            marks.mrr, times.mean, times.median, times.p99,
        )?;
        if let Some(Cost {
            milliseconds,
            mebibytes,
            tokens_all,
            tokens_search,
        }) = cost
        {
            write!(
                out,
                " {milliseconds:>8.1} {mebibytes:>6.1} {tokens_all:>10} {tokens_search:>8.0}"
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

const HEAD: &str = "corpus     method           queries    r@1    r@3    r@5   r@10    mrr  us mean   us p50   us p99 index ms    MiB tokens all   search";
