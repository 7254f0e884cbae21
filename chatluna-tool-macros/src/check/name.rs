//! Check: the tool's name, so far as it is known here.

use crate::attribute::{Attribute, Prefix};
use crate::model::{Name, Tool};
use crate::report::Report;
use proc_macro2::{Ident, Span};
use std::collections::BTreeMap;

/// The longest tool name, its prefix included.
const MAX_NAME: usize = 64;

/// `^[a-zA-Z0-9_-]{1,64}$`, which every provider accepts. Const names are rustc's to evaluate.
pub(super) fn check(tool: &Tool, report: &mut Report) {
    let Name::Known(name, span) = &tool.name else {
        return;
    };
    let whole = joined(&tool.prefix(), name);
    let length = whole.len();
    if name.is_empty() {
        report.at(
            *span,
            "the tool name is empty; leave `name` out to use the function's",
        );
    } else if !name.chars().all(is_name_char) {
        let clean = clean(name);
        report.at(*span, format_args!("`{name}` cannot be a tool name, only a-z, A-Z, 0-9, `_` and `-` can be in one; write `name = \"{clean}\"`"));
    } else if length > MAX_NAME {
        report.at(*span, format_args!("the tool name `{whole}` has {length} characters, models accept {MAX_NAME}; shorten it"));
    }
}

pub(super) fn check_prefix(attribute: &Attribute, report: &mut Report) {
    let Some(Prefix::Text(prefix)) = &attribute.prefix else {
        return;
    };
    let text = prefix.value();
    if !text.chars().all(is_name_char) {
        let clean = clean(&text);
        report.on(prefix, format_args!("`{text}` cannot begin a tool name, only a-z, A-Z, 0-9, `_` and `-` can be in one; write `prefix = \"{clean}\"`"));
    }
}

/// Tools of one name in one toolset, unless `cfg` removes one of them.
pub(crate) fn check_set(tools: &[Tool], report: &mut Report) {
    let certain = tools.iter().filter(|tool| tool.cfgs.is_empty());
    let named = certain.filter_map(|tool| match &tool.name {
        Name::Known(name, place) => Some(Named {
            name: joined(&tool.prefix(), name),
            place: *place,
            ident: &tool.signature.ident,
        }),
        Name::Const(_) => None,
    });
    check_twins("tools of this toolset", named, report);
}

/// What a model calls something of the user's.
pub(super) struct Named<'a> {
    pub(super) name: String,
    /// What to edit to change it.
    pub(super) place: Span,
    pub(super) ident: &'a Ident,
}

/// Names that are given to two. Of two things with one identifier rustc speaks.
pub(super) fn check_twins<'a>(
    things: &str,
    all: impl Iterator<Item = Named<'a>>,
    report: &mut Report,
) {
    let mut seen: BTreeMap<String, &Ident> = BTreeMap::new();
    for Named { name, place, ident } in all {
        let first = seen.insert(name.clone(), ident);
        if first.is_some_and(|first| first != ident) {
            report.at(
                place,
                format_args!("two {things} are named `{name}`; rename one"),
            );
        }
    }
}

fn is_name_char(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

/// The name with every run of other characters made one `_`, or `..` if nothing is left.
fn clean(name: &str) -> String {
    let is_word = |word: &&str| word.contains(|letter: char| letter.is_ascii_alphanumeric());
    let words = name.split(|letter| !is_name_char(letter));
    let words: Vec<&str> = words.filter(is_word).collect();
    match words.join("_") {
        clean if clean.is_empty() => "..".to_owned(),
        clean => clean.chars().take(MAX_NAME).collect(),
    }
}

/// The prefix, `_` and the name.
pub(crate) fn joined(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        prefix => format!("{prefix}_{name}"),
    }
}
