//! Where a value does not fit a schema, in words for the model.
//!
//! Runs after a failure, and for tools whose schema is all there is to check: it reads the schema as
//! it stands, keyword by keyword.

use super::expected::{expected, got};
use crate::arguments::{self, Bound, Length, Range};
use crate::nearest::nearest;
use crate::pointer::{referred, step};
use regex_lite::Regex;
use serde_json::{Map, Value};
use std::cell::Cell;

/// More problems are not looked for.
const MAX_PROBLEMS: usize = 1_000;
/// Deeper values and choices are not looked into: a stack of 1 MiB holds as much unoptimised.
const MAX_DEPTH: usize = 256;

/// A place of a value and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The JSON pointer (RFC 6901).
    pub(crate) pointer: String,
    pub(crate) message: String,
    /// Whether the value is of the right kind and breaks a bound, a length or a pattern.
    pub(crate) is_constraint: bool,
}

/// How far walks still go, all walks of one judge together.
pub(crate) struct Bounds {
    /// How many values are looked at: choices within choices multiply.
    steps: Cell<usize>,
    /// How many steps down: a schema may be within itself.
    depth: Cell<usize>,
}

impl Bounds {
    pub(crate) fn of_steps(steps: usize) -> Self {
        Self {
            steps: Cell::new(steps),
            depth: Cell::new(MAX_DEPTH),
        }
    }
}

/// A schema with the definitions that its `$ref`s lead to.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'schema> {
    root: &'schema Value,
    bounds: &'schema Bounds,
}

impl<'schema> Judge<'schema> {
    pub(crate) fn new(root: &'schema Value, bounds: &'schema Bounds) -> Self {
        Self { root, bounds }
    }

    pub(crate) fn root(self) -> &'schema Value {
        self.root
    }

    /// Whether it gave up, so that what it says is worth nothing.
    pub(crate) fn is_exhausted(self) -> bool {
        self.bounds.steps.get() == 0
    }

    /// Goes one step down, until the end of what it returns; `None` where that is too deep.
    pub(crate) fn enter(self) -> Option<Below<'schema>> {
        let depth = &self.bounds.depth;
        depth.set(depth.get().checked_sub(1)?);
        Some(Below(depth))
    }

    /// All problems of a value of the root's.
    pub(crate) fn problems(self, value: &Value) -> Vec<Problem> {
        Visit::of(self, self.root, value, false)
    }

    /// Whether a value of any of its schemas has no problem.
    pub(crate) fn fits(self, schema: &Value, value: &Value) -> bool {
        Visit::of(self, schema, value, true).is_empty()
    }

    /// The schema itself, behind all `$ref`s.
    pub(crate) fn resolved<'a>(self, mut schema: &'a Value) -> &'a Value
    where
        'schema: 'a,
    {
        // A reference to itself ends where the bound does.
        for _ in 0..MAX_DEPTH {
            let reference = schema.get("$ref").and_then(Value::as_str);
            let target = reference.and_then(referred);
            match target.and_then(|pointer| self.root.pointer(&pointer)) {
                Some(target) => schema = target,
                None => return schema,
            }
        }
        schema
    }
}

/// One step down.
pub(crate) struct Below<'bounds>(&'bounds Cell<usize>);

impl Drop for Below<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// One walk over a value.
struct Visit<'schema> {
    judge: Judge<'schema>,
    problems: Vec<Problem>,
    /// Whether only the verdict counts: one problem, without words, is enough.
    is_silent: bool,
}

impl<'schema> Visit<'schema> {
    fn of(judge: Judge<'schema>, schema: &Value, value: &Value, is_silent: bool) -> Vec<Problem> {
        let mut visit = Self {
            judge,
            problems: Vec::new(),
            is_silent,
        };
        visit.value(schema, value, "");
        visit.problems
    }

    fn report(&mut self, pointer: &str, message: impl FnOnce() -> String) {
        self.problems.push(Problem {
            pointer: pointer.to_owned(),
            message: if self.is_silent {
                String::new()
            } else {
                message()
            },
            is_constraint: false,
        });
    }

    fn step(&self, pointer: &str, key: &str) -> String {
        if self.is_silent {
            String::new()
        } else {
            step(pointer, key)
        }
    }

    fn is_over(&self) -> bool {
        let limit = if self.is_silent { 1 } else { MAX_PROBLEMS };
        self.problems.len() >= limit || self.judge.is_exhausted()
    }

    fn value(&mut self, schema: &Value, value: &Value, pointer: &str) {
        let schema = self.judge.resolved(schema);
        if self.is_over() {
            return;
        }
        let steps = &self.judge.bounds.steps;
        steps.set(steps.get() - 1);
        let Some(_below) = self.judge.enter() else {
            let message = || "is nested too deeply; send less of it".to_owned();
            return self.report(pointer, message);
        };
        match schema {
            Value::Bool(false) => self.report(pointer, || "nothing is accepted here".to_owned()),
            Value::Object(keywords) => self.keywords(schema, keywords, value, pointer),
            _ => {}
        }
    }

    /// A value of another kind has no other problems.
    fn keywords(
        &mut self,
        schema: &Value,
        keywords: &Map<String, Value>,
        value: &Value,
        pointer: &str,
    ) {
        if !is_of_type(keywords, value) || !is_listed(keywords, value) {
            self.report_kind(schema, value, pointer);
            return;
        }
        let broken = constraints(keywords, value).into_iter();
        self.problems.extend(broken.map(|message| Problem {
            pointer: pointer.to_owned(),
            message,
            is_constraint: true,
        }));
        if keywords.get("uniqueItems") == Some(&Value::Bool(true)) && has_twins(value) {
            self.report(pointer, || "must not have the same item twice".to_owned());
        }
        self.choices(schema, keywords, value, pointer);
        match value {
            Value::Object(fields) => self.object(keywords, fields, pointer),
            Value::Array(items) => self.array(keywords, items, pointer),
            _ => {}
        }
    }

    fn choices(
        &mut self,
        schema: &Value,
        keywords: &Map<String, Value>,
        value: &Value,
        pointer: &str,
    ) {
        for part in list(keywords.get("allOf")) {
            self.value(part, value, pointer);
        }
        let judge = self.judge;
        for (keyword, is_one) in [("anyOf", false), ("oneOf", true)] {
            let choices = list(keywords.get(keyword));
            let fitting = choices.iter().filter(|choice| judge.fits(choice, value));
            match fitting.count() {
                0 if !choices.is_empty() => self.no_choice(schema, choices, value, pointer),
                2.. if is_one => {
                    let message = || "fits more than one of the choices".to_owned();
                    self.report(pointer, message);
                }
                _ => {}
            }
        }
        if let Some(not) = keywords.get("not")
            && judge.fits(not, value)
        {
            self.report(pointer, || format!("must not be {}", expected(judge, not)));
        }
    }

    fn report_kind(&mut self, schema: &Value, value: &Value, pointer: &str) {
        let judge = self.judge;
        self.report(pointer, || {
            format!("expected {}, got {}", expected(judge, schema), got(value))
        });
    }

    /// The problems of the one choice that was meant, if that can be told.
    fn no_choice(&mut self, schema: &Value, choices: &[Value], value: &Value, pointer: &str) {
        let judge = self.judge;
        if self.is_silent {
            return self.report_kind(schema, value, pointer);
        }
        let mut meant: Vec<&Value> = choices
            .iter()
            .filter(|choice| is_meant(judge, choice, value))
            .collect();
        if meant.len() > 1 {
            meant.retain(|choice| has_required(judge, choice, value));
        }
        match meant[..] {
            [only] => self.value(only, value, pointer),
            _ => self.report_kind(schema, value, pointer),
        }
    }

    fn object(&mut self, keywords: &Map<String, Value>, fields: &Map<String, Value>, at: &str) {
        let known = keywords.get("properties").and_then(Value::as_object);
        for (name, field) in fields {
            let own = known.and_then(|known| known.get(name));
            let keyed = keyed(keywords, name);
            for schema in own.into_iter().chain(keyed.iter().flatten().copied()) {
                self.value(schema, field, &self.step(at, name));
            }
            let is_other = own.is_none() && keyed.is_some_and(|keyed| keyed.is_empty());
            match keywords.get("additionalProperties").filter(|_| is_other) {
                Some(Value::Bool(false)) => self.unknown(known, name, at),
                Some(schema) => self.value(schema, field, &self.step(at, name)),
                None => {}
            }
        }
        for name in list(keywords.get("required"))
            .iter()
            .filter_map(Value::as_str)
        {
            if !fields.contains_key(name) {
                let message = || "is required and missing".to_owned();
                self.report(&self.step(at, name), message);
            }
        }
    }

    fn unknown(&mut self, known: Option<&Map<String, Value>>, name: &str, at: &str) {
        self.report(&self.step(at, name), || {
            let known = known.into_iter().flat_map(Map::keys);
            let near = nearest(name, known.map(String::as_str));
            let hint = near.map(|near| format!("; did you mean `{near}`?"));
            let kind = if at.is_empty() { "argument" } else { "field" };
            format!("there is no such {kind}{}", hint.unwrap_or_default())
        });
    }

    fn array(&mut self, keywords: &Map<String, Value>, items: &[Value], at: &str) {
        let first = list(keywords.get("prefixItems"));
        for (index, item) in items.iter().enumerate() {
            let schema = first.get(index).or(keywords.get("items"));
            if let Some(schema) = schema {
                let place = self.step(at, &index.to_string());
                self.value(schema, item, &place);
            }
        }
    }
}

/// The schemas for keys of the patterns that a key matches; `None` where a pattern is of another
/// dialect, and so may be matched.
pub(crate) fn keyed<'a>(keywords: &'a Map<String, Value>, key: &str) -> Option<Vec<&'a Value>> {
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    let mut matched = Vec::new();
    for (pattern, schema) in patterns.into_iter().flatten() {
        if Regex::new(pattern).ok()?.is_match(key) {
            matched.push(schema);
        }
    }
    Some(matched)
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The types that a schema names; none is all.
pub(crate) fn types(keywords: &Map<String, Value>) -> Vec<&str> {
    match keywords.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_of_type(keywords: &Map<String, Value>, value: &Value) -> bool {
    let types = types(keywords);
    types.is_empty() || types.iter().any(|name| is_a(value, name))
}

/// Whether the value is of a JSON type; every integral number is an integer.
pub(crate) fn is_a(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) => {
            let float = number.as_f64().unwrap_or(f64::NAN);
            number.is_i64() || number.is_u64() || float.fract() == 0.0
        }
        _ => false,
    }
}

fn is_listed(keywords: &Map<String, Value>, value: &Value) -> bool {
    let constant = keywords.get("const").is_none_or(|only| equal(only, value));
    let listed = keywords.get("enum").and_then(Value::as_array);
    constant && listed.is_none_or(|listed| listed.iter().any(|other| equal(other, value)))
}

/// JSON knows one kind of number.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || left.as_f64() == right.as_f64() && (left.is_f64() || right.is_f64())
        }
        _ => left == right,
    }
}

/// Whether the value has what tells the choice from the others: its type, and its constants.
fn is_meant(judge: Judge<'_>, choice: &Value, value: &Value) -> bool {
    let Some(keywords) = judge.resolved(choice).as_object() else {
        return false;
    };
    let fields = keywords.get("properties").and_then(Value::as_object);
    let has_constant = |(name, schema): (&String, &Value)| {
        let constant = schema.get("const");
        constant.is_none_or(|constant| value.get(name) == Some(constant))
    };
    is_of_type(keywords, value) && fields.into_iter().flatten().all(has_constant)
}

/// Whether the value has keys that the choice requires, and all of those: the variants of an enum
/// differ by them where there is no tag.
fn has_required(judge: Judge<'_>, choice: &Value, value: &Value) -> bool {
    let mut required = list(judge.resolved(choice).get("required")).iter();
    let is_given = |name: &Value| value.get(name.as_str().unwrap_or_default()).is_some();
    required.len() > 0 && required.all(is_given)
}

/// What the keywords of one value say that are no questions of its kind.
fn constraints(keywords: &Map<String, Value>, value: &Value) -> Vec<String> {
    let bound = |name: &str| bound(keywords, name);
    let size = |name| {
        keywords
            .get(name)
            .and_then(Value::as_u64)
            .map(|size| size as usize)
    };
    let (least, most) = match value {
        Value::String(_) => ("minLength", "maxLength"),
        Value::Array(_) => ("minItems", "maxItems"),
        _ => ("minProperties", "maxProperties"),
    };
    // Compiled anew each time, so for texts alone.
    let pattern = keywords.get("pattern").filter(|_| value.is_string());
    let pattern = pattern.and_then(Value::as_str);
    let mut broken = arguments::broken(
        Range::new(bound("minimum"), bound("maximum")),
        Length::new(size(least), size(most)),
        pattern,
        value,
    );
    broken.extend(number_constraints(keywords, value));
    broken
}

fn bound(keywords: &Map<String, Value>, name: &str) -> Option<Bound> {
    Bound::of_json(keywords.get(name)?.as_number()?)
}

fn number_constraints(keywords: &Map<String, Value>, value: &Value) -> Vec<String> {
    let Some(number) = value.as_number().and_then(Bound::of_json) else {
        return Vec::new();
    };
    let bound = |name| bound(keywords, name);
    let above = bound("exclusiveMinimum").filter(|bound| number.is_at_most(*bound));
    let below = bound("exclusiveMaximum").filter(|bound| bound.is_at_most(number));
    let factor = bound("multipleOf").filter(|factor| !number.is_multiple_of(*factor));
    let words = [
        ("greater than", above),
        ("less than", below),
        ("a multiple of", factor),
    ];
    words
        .into_iter()
        .filter_map(|(words, bound)| Some(format!("must be {words} {}, got {value}", bound?)))
        .collect()
}

fn has_twins(value: &Value) -> bool {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let is_twin =
        |(index, item): (usize, &Value)| items[..index].iter().any(|other| equal(other, item));
    items.iter().enumerate().any(is_twin)
}
