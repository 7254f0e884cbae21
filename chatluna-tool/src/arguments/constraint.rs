//! Enforces what [`Details`] promise of a value.

use super::bound::{Bound, Length, Range};
use super::{Details, Parameter};
use regex_lite::{Error, Regex};
use serde_json::Value;

/// The compiled patterns of a tool, by the index of their row.
#[derive(Default)]
pub(crate) struct Patterns(Vec<(usize, Regex)>);

impl Patterns {
    /// Compiles them all, and tells which cannot be.
    pub(crate) fn of(rows: &'static [Parameter]) -> (Self, Vec<(&'static Parameter, Error)>) {
        let (mut compiled, mut broken) = (Vec::new(), Vec::new());
        for (index, row) in rows.iter().enumerate() {
            let pattern = row.details.and_then(|details| details.pattern);
            match pattern.map(Regex::new) {
                Some(Ok(pattern)) => compiled.push((index, pattern)),
                Some(Err(error)) => broken.push((row, error)),
                None => {}
            }
        }
        (Self(compiled), broken)
    }

    pub(super) fn get(&self, row: usize) -> Option<&Regex> {
        let found = self.0.iter().find(|(index, _)| *index == row);
        found.map(|(_, pattern)| pattern)
    }
}

/// A constraint that a value breaks.
struct Breach {
    must: String,
    /// What the value is instead; not for the value of a secret argument.
    is: String,
}

impl Breach {
    fn words(self) -> String {
        format!("must {}, {}", self.must, self.is)
    }

    fn words_of_secret(self) -> String {
        format!("must {} (its value is secret)", self.must)
    }
}

impl Details {
    /// All constraints that the value breaks, in words. `null` is no value.
    pub(super) fn broken_by(&self, value: &Value, pattern: Option<&Regex>) -> Vec<String> {
        let words = if self.is_secret() {
            Breach::words_of_secret
        } else {
            Breach::words
        };
        let breaches = breaches(self.range, self.length, pattern, value);
        breaches.map(words).collect()
    }
}

/// What a value breaks of the constraints of a schema, in words.
pub(crate) fn broken(
    range: Option<Range>,
    length: Option<Length>,
    pattern: Option<&Regex>,
    value: &Value,
) -> Vec<String> {
    let breaches = breaches(range, length, pattern, value);
    breaches.map(Breach::words).collect()
}

fn breaches(
    range: Option<Range>,
    length: Option<Length>,
    pattern: Option<&Regex>,
    value: &Value,
) -> impl Iterator<Item = Breach> {
    let range = range.and_then(|range| outside(&range, value));
    let length = length.and_then(|length| misfit(&length, value));
    let pattern = pattern.and_then(|pattern| unmatched(pattern, value));
    [range, length, pattern].into_iter().flatten()
}

fn outside(range: &Range, value: &Value) -> Option<Breach> {
    let number = Bound::of_json(value.as_number()?)?;
    (!range.holds(number)).then(|| Breach {
        must: format!("be {range}"),
        is: format!("got {value}"),
    })
}

fn misfit(length: &Length, value: &Value) -> Option<Breach> {
    let (count, unit) = match value {
        Value::String(text) => (text.chars().count(), "character"),
        Value::Array(items) => (items.len(), "item"),
        Value::Object(keys) => (keys.len(), "key"),
        _ => return None,
    };
    let plural = if length.is_singular() { "" } else { "s" };
    (!length.holds(count)).then(|| Breach {
        must: format!("have {length} {unit}{plural}"),
        is: format!("has {count}"),
    })
}

/// As JSON schema has it, a match anywhere in the text will do.
fn unmatched(pattern: &Regex, value: &Value) -> Option<Breach> {
    let text = value.as_str()?;
    (!pattern.is_match(text)).then(|| Breach {
        must: format!("match the pattern {pattern}"),
        is: format!("got {value}"),
    })
}
