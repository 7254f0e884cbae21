//! The words of a question.

use super::hidden::escape_hidden;
use crate::permission::{ApprovalRequest, Risk};
use serde::de::IgnoredAny;
use std::fmt::Write;

/// The most characters of a text that are shown.
const CHARACTERS: usize = 1_000;
/// The most targets that are shown.
const TARGETS: usize = 20;
/// The most lines of arguments that are shown.
const LINES: usize = 40;
/// The most bytes of arguments that are shown: 4 KiB.
const BYTES: usize = 4_096;
/// Deeper than this nothing is indented further.
const DEPTH: usize = 10;

/// All that is known of a request, line by line.
pub(super) fn question(request: &ApprovalRequest) -> String {
    let mut text = format!("\n{}\n", heading(request));
    for (label, value) in rows(request) {
        let _ = writeln!(text, "  {label:9} {}", bounded(value));
    }
    let more = request.permission().targets().len().saturating_sub(TARGETS);
    if more > 0 {
        let _ = writeln!(text, "  ({more} more targets)");
    }
    if let Some(arguments) = request.arguments() {
        let _ = writeln!(text, "  arguments\n    {}", pretty(arguments));
    }
    text
}

fn heading(request: &ApprovalRequest) -> &'static str {
    match request.call_id() {
        Some(_) if request.has_begun() => "A call that runs asks for an approval.",
        Some(_) => "A call needs an approval.",
        None => "The program asks for an approval.",
    }
}

fn rows(request: &ApprovalRequest) -> Vec<(&'static str, &str)> {
    let permission = request.permission();
    let mut rows = vec![("action", permission.action())];
    let targets = permission.targets().iter().take(TARGETS);
    rows.splice(..0, request.tool().map(|tool| ("tool", tool)));
    rows.extend(targets.map(|target| ("target", &**target)));
    rows.extend(risk(request.risk()).map(|risk| ("risk", risk)));
    rows.push(("reason", request.reason()));
    rows.extend(asker(request));
    rows
}

fn risk(risk: Risk) -> Option<&'static str> {
    match risk {
        Risk::Normal => None,
        Risk::Dangerous => Some("dangerous"),
        Risk::Critical => Some("critical"),
    }
}

fn asker(request: &ApprovalRequest) -> impl Iterator<Item = (&'static str, &str)> {
    let session = request.session();
    let subject = session.subject.as_ref();
    let parts = [
        ("user", subject.map(|subject| &*subject.user)),
        (
            "platform",
            subject.and_then(|subject| subject.platform.as_deref()),
        ),
        (
            "group",
            subject.and_then(|subject| subject.group.as_deref()),
        ),
        (
            "channel",
            subject.and_then(|subject| subject.channel.as_deref()),
        ),
        ("agent", session.agent.as_deref()),
        ("session", Some(&*session.id)),
    ];
    let known = |(label, value): (_, Option<_>)| Some((label, value?));
    parts.into_iter().filter_map(known)
}

fn bounded(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(CHARACTERS) else {
        return escape_hidden(text);
    };
    let (shown, rest) = text.split_at(end);
    let more = rest.chars().count();
    format!("{} (… {more} more characters)", escape_hidden(shown))
}

/// JSON over several lines. Names, numbers and their order are as they were sent, so that nothing
/// is shown that is not there. What is no JSON stays as it is.
fn pretty(json: &str) -> String {
    let mut page = Page::default();
    if serde_json::from_str::<IgnoredAny>(json).is_err() {
        page.text = escape_hidden(json);
        return page.end(0);
    }
    let mut rest = json.trim_ascii();
    while !rest.is_empty() && !page.is_full() {
        let (token, following) = rest.split_at(token_length(rest));
        rest = following.trim_ascii_start();
        page.add(token, rest);
    }
    page.end(rest.len())
}

/// The bytes of a string, of a mark, or of whatever stands before the next mark.
fn token_length(text: &str) -> usize {
    if let Some(string) = text.strip_prefix('"') {
        return 1 + string_length(string);
    }
    let is_end = |letter: char| "{}[],:".contains(letter) || letter.is_ascii_whitespace();
    match text.find(is_end) {
        Some(end) => end.max(1),
        None => text.len(),
    }
}

fn string_length(string: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |letter: char| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    };
    string.find(is_end).map_or(string.len(), |end| end + 1)
}

/// What is written of the arguments.
#[derive(Default)]
struct Page {
    text: String,
    lines: usize,
    depth: usize,
}

impl Page {
    fn is_full(&self) -> bool {
        self.lines >= LINES || self.text.len() >= BYTES
    }

    fn add(&mut self, token: &str, following: &str) {
        match token {
            "{" | "[" => self.open(token, following),
            "}" | "]" => self.close(token),
            "," => {
                self.text.push(',');
                self.new_line();
            }
            ":" => self.text.push_str(": "),
            _ => self.text.push_str(&escape_hidden(&decoded(token))),
        }
    }

    fn open(&mut self, bracket: &str, following: &str) {
        self.text.push_str(bracket);
        self.depth += 1;
        if !following.starts_with(['}', ']']) {
            self.new_line();
        }
    }

    fn close(&mut self, bracket: &str) {
        self.depth = self.depth.saturating_sub(1);
        if !self.text.ends_with(['{', '[']) {
            self.new_line();
        }
        self.text.push_str(bracket);
    }

    fn new_line(&mut self) {
        self.lines += 1;
        let indentation = 4 + 2 * self.depth.min(DEPTH);
        let _ = write!(self.text, "\n{:indentation$}", "");
    }

    /// The text, and how much of it is missing.
    fn end(mut self, unread: usize) -> String {
        let whole = self.text.len();
        let ends = self.text.char_indices().map(|(end, _)| end);
        let end = ends.take_while(|end| *end <= BYTES).last();
        if whole > BYTES {
            self.text.truncate(end.unwrap_or_default());
        }
        let more = whole - self.text.len() + unread;
        if more > 0 {
            self.text
                .truncate(self.text.trim_end_matches([' ', '\n']).len());
            let _ = write!(self.text, "\n    (… {more} more bytes)");
        }
        self.text
    }
}

/// A string with its letters instead of their numbers: models may send `\u5317`.
fn decoded(token: &str) -> String {
    let text = serde_json::from_str::<String>(token);
    let again = text.and_then(|text| serde_json::to_string(&text));
    again.unwrap_or_else(|_| token.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{BYTES, LINES, pretty};

    #[test]
    fn arguments_are_laid_out_and_otherwise_left_alone() {
        for (json, laid_out) in [
            ("{}", "{}"),
            (" [ ] ", "[]"),
            ("1e999", "1e999"),
            (
                r#"{"a":12345678901234567890123,"a":[1.50,{}],"b":"x, {y}: \"z\""}"#,
                r#"{
      "a": 12345678901234567890123,
      "a": [
        1.50,
        {}
      ],
      "b": "x, {y}: \"z\""
    }"#,
            ),
            (
                r#"{"city":"\u5317\u4eac\u202e\u001b\n"}"#,
                "{\n      \"city\": \"北京\\u{202e}\\u001b\\n\"\n    }",
            ),
            ("{'rm': 'a b',\n}", "{'rm': 'a b',\\u{a}}"),
        ] {
            assert_eq!(pretty(json), laid_out, "{json}");
        }
    }

    #[test]
    fn of_long_arguments_it_says_how_much_is_missing() {
        let many = format!("[{}1]", "1,".repeat(100));
        let page = pretty(&many);
        assert_eq!(page.lines().count(), LINES + 1);
        let last = page.lines().last().unwrap_or_default();
        assert_eq!(last, "    (… 124 more bytes)", "{page}");
        let long = format!("[\"{}\"]", "é".repeat(BYTES));
        let page = pretty(&long);
        assert!(page.len() < BYTES + 100, "{page}");
        assert!(page.ends_with(" more bytes)"), "{page}");
        let deep = "[".repeat(100) + &"]".repeat(100);
        assert!(pretty(&deep).len() < 2 * BYTES);
    }
}
