//! The text of a file of answers.

use super::{GrantError, Rule};
use serde::Deserialize;
use std::fmt::Write;

const HEADER: &str =
    "# Answers that were given for always. Each is a rule; remove it to be asked again.\n";
/// The keys of a rule as a person expects them.
const ORDER: [&str; 4] = ["verdict", "action", "target", "who"];

/// Why a text is no list of rules.
pub(super) enum Fault {
    /// It cannot be read.
    Broken(String),
    /// It can be read, and says more than anybody may have meant.
    Unmeant(String),
}

impl Fault {
    pub(super) fn words(&self) -> &str {
        match self {
            Self::Broken(words) | Self::Unmeant(words) => words,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    #[serde(default)]
    rules: Vec<Rule>,
}

/// The rules of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Rule>, Fault> {
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        Fault::Broken(format!("line {line}: the text is not UTF-8"))
    })?;
    let form: FileForm = toml::from_str(text).map_err(|error| broken(bytes, &error))?;
    check(&form.rules).map_err(Fault::Unmeant)?;
    Ok(form.rules)
}

/// No rule allows everything without saying that this is meant.
pub(super) fn check(rules: &[Rule]) -> Result<(), String> {
    match rules.iter().find(|rule| rule.is_bare_allow()) {
        Some(rule) => Err(format!(
            "the rule `{rule}` allows everything; if that is meant, give it `unsafe_allow_all = true`"
        )),
        None => Ok(()),
    }
}

fn broken(bytes: &[u8], error: &toml::de::Error) -> Fault {
    let message = error.message();
    Fault::Broken(match error.span() {
        Some(span) => format!("line {}: {message}", line_of(bytes, span.start)),
        None => message.to_owned(),
    })
}

fn line_of(bytes: &[u8], position: usize) -> usize {
    let before = bytes.iter().take(position);
    1 + before.filter(|byte| **byte == b'\n').count()
}

/// The text with more rules at its end: what a person has written stays. Only where nothing can be
/// put behind it, as behind `rules = []`, all is written anew.
pub(super) fn appended(old: &str, known: &[Rule], new: &[Rule]) -> Result<String, GrantError> {
    let fresh = rendered(new)?;
    let all = known.len() + new.len();
    let text = match old {
        "" => HEADER.to_owned() + &fresh,
        old if old.ends_with('\n') => old.to_owned() + &fresh,
        old => format!("{old}\n{fresh}"),
    };
    match parse(text.as_bytes()) {
        Ok(rules) if rules.len() == all => Ok(text),
        _ => Ok(HEADER.to_owned() + &rendered(known)? + &fresh),
    }
}

fn rendered(rules: &[Rule]) -> Result<String, GrantError> {
    let mut text = String::new();
    for rule in rules {
        let fields = toml::Table::try_from(rule).map_err(|error| {
            GrantError::wrap(format_args!("`{rule}` cannot be written as TOML"), error)
        })?;
        text.push_str("\n[[rules]]\n");
        let position = |key: &str| ORDER.iter().position(|known| *known == key);
        let mut fields: Vec<_> = fields.into_iter().collect();
        fields.sort_by_key(|(key, _)| position(key).unwrap_or(ORDER.len()));
        for (key, value) in fields {
            // A table is written inline.
            let _ = writeln!(text, "{key} = {value}");
        }
    }
    Ok(text)
}
