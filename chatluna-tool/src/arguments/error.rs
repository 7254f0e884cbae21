//! What is wrong with a call's arguments, in words for the model.

use super::MAX_ARGUMENT_BYTES;
use crate::pointer::{self, step};
use crate::schema::verdict as schema;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::fmt;

/// The most problems that one error lists; the rest is counted.
const MAX_PROBLEMS: usize = 20;
/// The most characters of a problem's text: it may quote what the model sent.
const MAX_CHARS: usize = 200;

/// Why the arguments of a call cannot be used; every problem at once.
///
/// `Display` gives one line a problem, each with the JSON pointer of the
/// value: `/days: expected an integer, got "two"`.
#[derive(Debug, Default)]
pub struct ArgumentError {
    problems: Vec<Problem>,
    more: usize,
    malformed: bool,
}

#[derive(Debug)]
struct Problem {
    pointer: String,
    message: String,
}

impl ArgumentError {
    /// An error about the arguments as a whole.
    pub fn new(message: impl fmt::Display) -> Self {
        let problem = Problem {
            pointer: String::new(),
            message: bounded(message.to_string(), MAX_CHARS),
        };
        Self {
            problems: vec![problem],
            ..Self::default()
        }
    }

    /// Whether the text was no JSON object at all.
    pub fn is_malformed(&self) -> bool {
        self.malformed
    }

    pub(super) fn malformed(message: impl fmt::Display) -> Self {
        Self {
            malformed: true,
            ..Self::new(message)
        }
    }

    pub(super) fn too_long(bytes: usize) -> Self {
        Self::new(format_args!(
            "the arguments are {bytes} bytes long, {MAX_ARGUMENT_BYTES} at most are read"
        ))
    }

    pub(super) fn unfit(fault: &serde_json::Error) -> Self {
        let mut error = Self::default();
        error.unfit_whole(fault);
        error
    }

    pub(super) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// What a schema finds.
    pub(super) fn of_problems(problems: impl IntoIterator<Item = schema::Problem>) -> Self {
        let mut error = Self::default();
        for schema::Problem {
            pointer, message, ..
        } in problems
        {
            error.push_at(|| pointer, || message);
        }
        error
    }

    /// The error with the names that the model knows: of the keys in pointers, and of what stands
    /// between backticks.
    pub(crate) fn renamed(mut self, name: impl Fn(&str) -> String) -> Self {
        for Problem { pointer, message } in &mut self.problems {
            let keys = pointer.split('/').skip(1).map(pointer::key);
            *pointer = keys.fold(String::new(), |at, key| step(&at, &name(&key)));
            let parts = message.split('`').enumerate();
            let parts = parts.map(|(index, part)| match index % 2 {
                0 => part.to_owned(),
                _ => name(part),
            });
            *message = parts.collect::<Vec<_>>().join("`");
        }
        self
    }

    /// A struct that does not fit; serde does not say where.
    pub(super) fn unfit_whole(&mut self, fault: &serde_json::Error) {
        self.push_at(String::new, || without_position(fault));
    }

    pub(super) fn unfit_at(&mut self, key: &str, fault: &serde_json::Error) {
        self.push(key, || without_position(fault));
    }

    /// Without serde's text, which quotes the value.
    pub(super) fn unfit_secret(&mut self, key: &str) {
        self.push(key, || {
            "is not what this argument takes (its value is secret)".to_owned()
        });
    }

    pub(super) fn broken_by(&mut self, key: &str, words: String) {
        self.push(key, || words);
    }

    pub(super) fn missing(&mut self, key: &str) {
        self.push(key, || "is required and missing".to_owned());
    }

    pub(super) fn twice(&mut self, key: &str) {
        self.push(key, || "is given twice".to_owned());
    }

    pub(super) fn unknown<'a>(&mut self, key: &str, nearest: impl FnOnce() -> Option<&'a str>) {
        self.push(key, || {
            let hint = nearest().map(|name| format!("; did you mean `{name}`?"));
            format!("there is no such argument{}", hint.unwrap_or_default())
        });
    }

    fn push(&mut self, key: &str, message: impl FnOnce() -> String) {
        self.push_at(|| step("", key), message);
    }

    /// Past [`MAX_PROBLEMS`] a problem is only counted: its text costs time.
    fn push_at(&mut self, pointer: impl FnOnce() -> String, message: impl FnOnce() -> String) {
        if self.problems.len() == MAX_PROBLEMS {
            self.more += 1;
            return;
        }
        self.problems.push(Problem {
            pointer: bounded(pointer(), MAX_CHARS),
            message: bounded(message(), MAX_CHARS),
        });
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            let colon = if problem.pointer.is_empty() { "" } else { ": " };
            write!(f, "{line}{}{colon}{}", problem.pointer, problem.message)?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for ArgumentError {}

/// Says where a text stops being a JSON object, or what it is instead of one.
pub(super) fn broken(text: &str) -> ArgumentError {
    let message = match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => format!("the arguments are not valid JSON: {error}; nothing was run"),
        Ok(_) => format!(
            "the arguments must be a JSON object, not {}; nothing was run",
            kind(text)
        ),
    };
    ArgumentError::malformed(message)
}

fn kind(text: &str) -> &'static str {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(_)) => "an array",
        Ok(Value::String(_)) => "a string",
        Ok(Value::Number(_)) => "a number",
        Ok(Value::Bool(_)) => "a boolean",
        _ => "this text",
    }
}

/// serde_json's text without its position, which counts from the value, not the arguments.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

/// The text up to so many characters, with a sign that something is missing.
pub(crate) fn bounded(mut text: String, most: usize) -> String {
    if let Some((cut, _)) = text.char_indices().nth(most) {
        text.truncate(cut);
        text.push('…');
    }
    text
}
