//! Where a value does not fit a schema, in words for the model.
//!
//! Runs after a failure, and for tools whose schema is all there is to check: it reads the schema as
//! it stands, keyword by keyword.

use super::constraints;
use super::effort::{Effort, Level};
use super::equal::equal;
use super::expected::{expected, got};
use crate::nearest::nearest;
use crate::pointer::{referred, step};
use serde_json::{Map, Value};

/// More problems are not looked for.
const MAX_PROBLEMS: usize = 1_000;
const UNIQUE: &str = "uniqueItems";
/// How many `$ref`s may lead to each other.
const MAX_REFERENCES: usize = 16;

/// A place of a value and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The JSON pointer (RFC 6901).
    pub(crate) pointer: String,
    pub(crate) message: String,
    /// Whether a value that its type reads may have the problem: a bound, a length or a pattern
    /// that it breaks, or that it was not looked at.
    pub(crate) is_constraint: bool,
}

/// A schema with the definitions that its `$ref`s lead to.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'schema> {
    root: &'schema Value,
    effort: &'schema Effort,
}

impl<'schema> Judge<'schema> {
    pub(crate) fn new(root: &'schema Value, effort: &'schema Effort) -> Self {
        Self { root, effort }
    }

    pub(crate) fn root(self) -> &'schema Value {
        self.root
    }

    /// Whether it gave up, so that what it says is worth nothing.
    pub(crate) fn is_exhausted(self) -> bool {
        self.effort.is_spent()
    }

    /// Looks at one value, one step down; `None` where that is too deep or too much.
    pub(crate) fn enter(self) -> Option<Level<'schema>> {
        self.effort.enter()
    }

    /// All problems of a value of the root's.
    pub(crate) fn problems(self, value: &Value) -> Vec<Problem> {
        let mut problems = Visit::of(self, self.root, value, false);
        if problems.is_empty() && self.is_exhausted() {
            problems.push(Problem {
                pointer: String::new(),
                message: "the arguments are too much to check; send less of them".to_owned(),
                is_constraint: true,
            });
        }
        problems
    }

    /// Whether a value of any of its schemas has no problem.
    pub(crate) fn fits(self, schema: &Value, value: &Value) -> bool {
        Visit::of(self, schema, value, true).is_empty()
    }

    /// The schemas for keys of the patterns that a key matches; `None` where a pattern is of another
    /// dialect, and so may be matched.
    pub(crate) fn keyed<'a>(
        self,
        keywords: &'a Map<String, Value>,
        key: &str,
    ) -> Option<Vec<&'a Value>> {
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        let mut matched = Vec::new();
        for (pattern, schema) in patterns.into_iter().flatten() {
            if self.effort.patterns.get(pattern)?.is_match(key) {
                matched.push(schema);
            }
        }
        Some(matched)
    }

    /// The schema itself, behind all `$ref`s.
    pub(crate) fn resolved<'a>(self, mut schema: &'a Value) -> &'a Value
    where
        'schema: 'a,
    {
        // A reference to itself ends where the bound does.
        for _ in 0..MAX_REFERENCES {
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

/// One walk over a value.
struct Visit<'schema> {
    judge: Judge<'schema>,
    problems: Vec<Problem>,
    /// One problem is enough, and nobody reads it.
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
        self.problems.push(match self.is_silent {
            true => Problem::default(),
            false => Problem {
                pointer: pointer.to_owned(),
                message: message(),
                is_constraint: false,
            },
        });
    }

    fn report_constraint(&mut self, pointer: &str, message: String) {
        self.problems.push(Problem {
            pointer: pointer.to_owned(),
            message,
            is_constraint: true,
        });
    }

    fn is_done(&self) -> bool {
        let enough = if self.is_silent { 1 } else { MAX_PROBLEMS };
        self.problems.len() >= enough
    }

    /// The pointer to what is below.
    fn below(&self, pointer: &str, key: &str) -> String {
        if self.is_silent {
            String::new()
        } else {
            step(pointer, key)
        }
    }

    fn value(&mut self, schema: &Value, value: &Value, pointer: &str) {
        if self.judge.is_exhausted() || self.is_done() {
            return;
        }
        let Some(_level) = self.judge.enter() else {
            let message = "is nested too deeply; send less of it";
            return self.report_constraint(pointer, message.to_owned());
        };
        let target = self.judge.resolved(schema);
        if let Value::Object(beside) = schema
            && beside.len() > 1
            && !std::ptr::eq(schema, target)
        {
            // What stands beside a reference holds as well.
            self.keywords(schema, beside, value, pointer);
        }
        match target {
            _ if self.is_done() => {}
            Value::Bool(false) => self.report(pointer, || "nothing is accepted here".to_owned()),
            Value::Object(keywords) => self.keywords(target, keywords, value, pointer),
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
            self.unexpected(schema, value, pointer);
            return;
        }
        let patterns = &self.judge.effort.patterns;
        for message in constraints::broken(keywords, value, patterns, |name| name != UNIQUE) {
            self.report_constraint(pointer, message);
        }
        // A set drops twins, and nobody is worse off.
        for message in constraints::broken(keywords, value, patterns, |name| name == UNIQUE) {
            self.report(pointer, || message);
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
                    self.report(pointer, || "fits more than one of the choices".to_owned());
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

    /// The problems of the one choice that was meant, if that can be told.
    fn no_choice(&mut self, schema: &Value, choices: &[Value], value: &Value, pointer: &str) {
        let judge = self.judge;
        let mut meant: Vec<&Value> = choices
            .iter()
            .filter(|choice| !self.is_silent && is_meant(judge, choice, value))
            .collect();
        if meant.len() > 1 {
            meant.retain(|choice| has_required(judge, choice, value));
        }
        match meant[..] {
            [only] => self.value(only, value, pointer),
            _ => self.unexpected(schema, value, pointer),
        }
    }

    fn unexpected(&mut self, schema: &Value, value: &Value, pointer: &str) {
        let judge = self.judge;
        let words = || format!("expected {}, got {}", expected(judge, schema), got(value));
        self.report(pointer, words);
    }

    fn object(&mut self, keywords: &Map<String, Value>, fields: &Map<String, Value>, at: &str) {
        let known = keywords.get("properties").and_then(Value::as_object);
        for (name, field) in fields {
            let own = known.and_then(|known| known.get(name));
            let keyed = self.judge.keyed(keywords, name);
            for schema in own.into_iter().chain(keyed.iter().flatten().copied()) {
                self.value(schema, field, &self.below(at, name));
            }
            let is_other = own.is_none() && keyed.is_some_and(|keyed| keyed.is_empty());
            match keywords.get("additionalProperties").filter(|_| is_other) {
                Some(Value::Bool(false)) => self.unknown(known, name, at),
                Some(schema) => self.value(schema, field, &self.below(at, name)),
                None => {}
            }
        }
        for name in list(keywords.get("required"))
            .iter()
            .filter_map(Value::as_str)
        {
            if !fields.contains_key(name) {
                let missing = || "is required and missing".to_owned();
                self.report(&self.below(at, name), missing);
            }
        }
    }

    fn unknown(&mut self, known: Option<&Map<String, Value>>, name: &str, at: &str) {
        self.report(&self.below(at, name), || {
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
                self.value(schema, item, &self.below(at, &index.to_string()));
            }
        }
    }
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

/// Whether the value has what tells the choice from the others: its type, and its constants.
fn is_meant(judge: Judge<'_>, choice: &Value, value: &Value) -> bool {
    let Some(keywords) = judge.resolved(choice).as_object() else {
        return false;
    };
    let fields = keywords.get("properties").and_then(Value::as_object);
    let has_constant = |(name, schema): (&String, &Value)| {
        let constant = schema.get("const");
        constant.is_none_or(|constant| value.get(name).is_some_and(|own| equal(own, constant)))
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
