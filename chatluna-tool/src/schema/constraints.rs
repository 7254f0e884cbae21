//! The keywords that say something of one value and are no question of its type.

use super::equal::has_twins;
use crate::arguments::{self, Bound, Length, Range};
use regex_lite::Regex;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The patterns of a schema, each compiled once, when a text meets it.
#[derive(Default)]
pub(crate) struct Compiled(RefCell<HashMap<String, Option<Rc<Regex>>>>);

impl Compiled {
    /// `None` for a pattern of another dialect, which is not ours to enforce.
    pub(crate) fn get(&self, pattern: &str) -> Option<Rc<Regex>> {
        let mut known = self.0.borrow_mut();
        if let Some(compiled) = known.get(pattern) {
            return compiled.clone();
        }
        let compiled = Regex::new(pattern).ok().map(Rc::new);
        known.insert(pattern.to_owned(), compiled.clone());
        compiled
    }
}

/// What a value breaks of a schema's constraints, in words. Those that are not kept say nothing.
pub(crate) fn broken(
    keywords: &Map<String, Value>,
    value: &Value,
    patterns: &Compiled,
    is_kept: impl Fn(&str) -> bool,
) -> Vec<String> {
    let rule = |name: &str| keywords.get(name).filter(|_| is_kept(name));
    let mut broken = match value {
        Value::Number(_) => of_number(|name| Bound::of_json(rule(name)?.as_number()?), value),
        Value::String(_) => {
            let pattern = rule("pattern").and_then(Value::as_str);
            let pattern = pattern.and_then(|pattern| patterns.get(pattern));
            let length = length(rule("minLength"), rule("maxLength"));
            arguments::broken(None, Some(length), pattern.as_deref(), value)
        }
        Value::Array(_) => {
            let length = length(rule("minItems"), rule("maxItems"));
            arguments::broken(None, Some(length), None, value)
        }
        Value::Object(_) => {
            let length = length(rule("minProperties"), rule("maxProperties"));
            arguments::broken(None, Some(length), None, value)
        }
        Value::Null | Value::Bool(_) => Vec::new(),
    };
    if let Value::Array(items) = value
        && rule("uniqueItems") == Some(&Value::Bool(true))
        && has_twins(items)
    {
        broken.push("must not have the same item twice".to_owned());
    }
    broken
}

fn length(min: Option<&Value>, max: Option<&Value>) -> Length {
    let size = |bound: Option<&Value>| bound.and_then(Value::as_u64).map(|size| size as usize);
    Length::new(size(min), size(max))
}

fn of_number(bound: impl Fn(&str) -> Option<Bound>, value: &Value) -> Vec<String> {
    let range = Range::new(bound("minimum"), bound("maximum"));
    let mut broken = arguments::broken(Some(range), None, None, value);
    let Some(number) = value.as_number().and_then(Bound::of_json) else {
        return broken;
    };
    let above = bound("exclusiveMinimum").filter(|bound| number.is_at_most(*bound));
    let below = bound("exclusiveMaximum").filter(|bound| bound.is_at_most(number));
    let factor = bound("multipleOf").filter(|factor| !number.is_multiple_of(*factor));
    let words = [
        ("greater than", above),
        ("less than", below),
        ("a multiple of", factor),
    ];
    let words = words
        .into_iter()
        .filter_map(|(words, bound)| Some(format!("must be {words} {}, got {value}", bound?)));
    broken.extend(words);
    broken
}
