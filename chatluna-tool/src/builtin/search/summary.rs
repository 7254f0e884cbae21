//! What there is to find, in the description of `tool_search`, within a budget of tokens.

use crate::definition::ToolDefinition;
use crate::search::languages;
use crate::session::View;
use crate::tokens::estimate;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How the description begins.
pub(super) const HEAD: &str = "Finds tools and loads them: those listed here cannot be called before. \
     Write one capability a query, several queries at once rather than one long one.";

/// The most tokens that the list may take: a hundredth of a context of 200,000.
const MAX_TOKENS: usize = 2_000;

/// No token holds more bytes than this in what is listed, so longer lists need no count.
const MAX_TOKEN_BYTES: usize = 16;

/// The most characters of a tool's first sentence.
const MAX_SENTENCE: usize = 120;

/// The description of `tool_search` in a session. It does not depend on what is loaded: it stands
/// before that in the request, and has to stay as it is.
pub(super) fn of(view: &View<'_>) -> String {
    let tools = view.program().filter(|tool| view.is_deferred(tool));
    let tools: Vec<&ToolDefinition> = tools.map(|tool| tool.definition()).collect();
    let mut text = HEAD.to_owned();
    let languages = languages(tools.iter().map(|tool| tool.description()));
    if let Some(languages) = spoken(&languages) {
        let _ = write!(
            text,
            " The tools are described in {languages}: write the queries in {}.",
            if languages.contains(" and ") {
                "one of them"
            } else {
                "it"
            }
        );
    }
    let list = within_budget(&tools);
    let _ = write!(text, "\n\n{} tools to find:\n{list}", tools.len());
    text
}

/// `English`, `English and Chinese`.
pub(super) fn spoken(languages: &[&str]) -> Option<String> {
    let (last, first) = languages.split_last()?;
    Some(match first {
        [] => (*last).to_owned(),
        first => format!("{} and {last}", first.join(", ")),
    })
}

/// The fullest list that fits: with what each does, of names, of groups of names.
fn within_budget(tools: &[&ToolDefinition]) -> String {
    let full = tools.iter().map(|tool| line(tool));
    let names = || tools.iter().map(|tool| tool.name());
    joined(full, "\n")
        .or_else(|| joined(names().map(str::to_owned), ", "))
        .unwrap_or_else(|| groups(names()))
}

/// Nothing if it is too long.
fn joined(parts: impl Iterator<Item = String>, separator: &str) -> Option<String> {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text += separator;
        }
        text += &part;
        if text.len() > MAX_TOKENS * MAX_TOKEN_BYTES {
            return None;
        }
    }
    (estimate(&text) <= MAX_TOKENS).then_some(text)
}

fn line(tool: &ToolDefinition) -> String {
    match first_sentence(tool.description()) {
        sentence if sentence.is_empty() => tool.name().to_owned(),
        sentence => format!("{}: {sentence}", tool.name()),
    }
}

/// Up to where it ends, in any script, or is long enough.
fn first_sentence(text: &str) -> String {
    let text = text.trim_start();
    let end = text.char_indices().find(|(index, letter)| match letter {
        '\n' | '。' | '！' | '？' => true,
        '.' | '!' | '?' => {
            let rest = &text[index + 1..];
            rest.is_empty() || rest.starts_with(char::is_whitespace)
        }
        _ => false,
    });
    let sentence = end.map_or(text, |(index, _)| &text[..index]).trim_end();
    match sentence.char_indices().nth(MAX_SENTENCE) {
        Some((index, _)) => format!("{}…", sentence[..index].trim_end()),
        None => sentence.to_owned(),
    }
}

/// What names have in common at their beginning, and how many do; the largest groups first where not
/// all fit.
fn groups<'tool>(names: impl Iterator<Item = &'tool str>) -> String {
    let mut counts = BTreeMap::<&str, usize>::new();
    for name in names {
        *counts.entry(group(name)).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    let entry = |(name, count): &(&str, usize)| format!("{name} ({count})");
    let mut tokens = 0;
    let fits = |entry: &String| {
        tokens += estimate(entry) + 1;
        tokens <= MAX_TOKENS
    };
    let shown: Vec<String> = counts.iter().map(entry).take_while(fits).collect();
    let left = &counts[shown.len()..];
    let mut text = format!("Names begin with: {}", shown.join(", "));
    if !left.is_empty() {
        let tools: usize = left.iter().map(|(_, count)| count).sum();
        let _ = write!(text, " and {tools} tools in {} more groups", left.len());
    }
    text
}

/// The server of `server__tool`, else the first word.
fn group(name: &str) -> &str {
    let server = name.split_once("__").map(|(server, _)| server);
    let word = || name.split(['_', '-', '.']).find(|word| !word.is_empty());
    server
        .filter(|server| !server.is_empty())
        .or_else(word)
        .unwrap_or(name)
}
