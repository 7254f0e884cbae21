//! The findings for people and for programs.

use super::findings::{Findings, Level, Remark};
use crate::cli::ERROR;
use crate::cli::controls::escape_controls_of_lines;
use crate::provider::Dialect;
use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};

const NAME: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Of what more tools than these have in common, the number is told.
const NAMED: usize = 4;

/// Nobody's definition is longer than so many digits.
const DIGITS: usize = 5;

pub(super) struct Printed<'a> {
    pub(super) findings: &'a [Findings],
    /// On all of them together: in one request, under one policy.
    pub(super) together: &'a [Remark],
    /// The dialects whose tokens people see.
    pub(super) counted: &'a [Dialect],
}

impl Printed<'_> {
    /// A line a tool, a line a remark, and the sum.
    pub(super) fn text(&self) -> String {
        let mut text = self.table();
        let remarks = self.remarks();
        if !remarks.is_empty() {
            text += &format!("\n{remarks}");
        }
        text += &format!("\n{}\n", self.sum());
        text
    }

    fn table(&self) -> String {
        let names = self.findings.iter().map(|each| each.name.len()).max();
        let states = self.findings.iter().map(|each| each.state().1.len()).max();
        let names = names.unwrap_or_default();
        let states = states.unwrap_or_default().max(self.unit().len());
        let rows = self.findings.iter();
        let rows: String = rows.map(|each| self.row(each, names, states)).collect();
        self.head(names, states) + &rows
    }

    /// The dialects; one alone needs no head.
    fn head(&self, names: usize, states: usize) -> String {
        if !self.has_columns() {
            return String::new();
        }
        let heads = self.counted.iter();
        let head = |each: &Dialect| {
            format!(
                "  {each:>width$}",
                each = each.as_str(),
                width = width(*each)
            )
        };
        let heads: String = heads.map(head).collect();
        format!("  {:names$}  {:>states$}{heads}\n", "", self.unit())
    }

    fn row(&self, of: &Findings, names: usize, states: usize) -> String {
        let (style, state) = of.state();
        let name = &of.name;
        let mut row = format!("  {NAME}{name:names$}{NAME:#}  {style}{state:states$}{style:#}");
        let counted = of.tokens.iter();
        for (dialect, tokens) in counted.filter(|(dialect, _)| self.counted.contains(dialect)) {
            row += &if self.has_columns() {
                format!("  {tokens:>width$}", width = width(*dialect))
            } else {
                format!("  {tokens:>DIGITS$} tokens")
            };
        }
        row + "\n"
    }

    fn has_columns(&self) -> bool {
        self.counted.len() > 1
    }

    /// What stands in the head before the dialects.
    fn unit(&self) -> &'static str {
        if self.has_columns() { "tokens" } else { "" }
    }

    /// The worst first. What several tools have in common is said once.
    fn remarks(&self) -> String {
        let mut lines: Vec<(&Remark, Vec<&str>)> = Vec::new();
        for each in self.findings {
            for remark in &each.remarks {
                match lines.iter_mut().find(|(said, _)| *said == remark) {
                    Some((_, tools)) => tools.push(&each.name),
                    None => lines.push((remark, vec![&each.name])),
                }
            }
        }
        lines.extend(self.together.iter().map(|remark| (remark, Vec::new())));
        lines.sort_by_key(|(remark, _)| remark.level);
        let lines = lines.into_iter();
        lines
            .map(|(remark, tools)| self.line(remark, &tools))
            .collect()
    }

    fn line(&self, remark: &Remark, tools: &[&str]) -> String {
        let (style, word) = match remark.level {
            Level::Error => (ERROR, "error"),
            Level::Warning => (WARNING, "warning"),
            Level::Note => (NOTE, "note"),
        };
        let who = match tools {
            // An error names its tool.
            _ if remark.level == Level::Error => String::new(),
            [] => String::new(),
            _ if tools.len() > 1 && tools.len() == self.findings.len() => "all tools: ".to_owned(),
            _ if tools.len() > NAMED => {
                let (named, more) = tools.split_at(NAMED);
                format!("{} and {} more: ", named.join(", "), more.len())
            }
            _ => format!("{}: ", tools.join(", ")),
        };
        let of = match &*remark.words() {
            [] => String::new(),
            dialects => format!(" ({})", dialects.join(", ")),
        };
        let text = escape_controls_of_lines(&remark.text);
        format!("{style}{word}:{style:#} {who}{text}{of}\n")
    }

    fn sum(&self) -> String {
        let (errors, warnings) = (self.count(Level::Error), self.count(Level::Warning));
        let sums = self.counted.iter().map(|dialect| self.all_tokens(*dialect));
        let (least, most) = (sums.clone().min(), sums.max());
        let (least, most) = (least.unwrap_or_default(), most.unwrap_or_default());
        let tokens = if least == most {
            most.to_string()
        } else {
            format!("{least} to {most}")
        };
        format!(
            "{}: {}, {}; about {tokens} tokens",
            number(self.findings.len(), "tool"),
            number(errors, "error"),
            number(warnings, "warning"),
        )
    }

    pub(super) fn count(&self, level: Level) -> usize {
        let of_tools = self.findings.iter().map(|each| each.count(level));
        let together = self.together.iter().filter(|each| each.level == level);
        of_tools.sum::<usize>() + together.count()
    }

    fn all_tokens(&self, dialect: Dialect) -> usize {
        let tokens = self.findings.iter().flat_map(|each| &each.tokens);
        let tokens = tokens.filter(|(other, _)| *other == dialect);
        tokens.map(|(_, tokens)| tokens).sum()
    }

    pub(super) fn json(&self) -> Value {
        let tools: Value = self.findings.iter().map(Findings::json).collect();
        json!({
            "tools": tools,
            "warnings": of_level(self.together, Level::Warning),
            "notes": of_level(self.together, Level::Note),
        })
    }
}

/// Of the column of a dialect.
fn width(dialect: Dialect) -> usize {
    dialect.as_str().len().max(DIGITS)
}

/// `no errors`, `1 error`, `2 errors`.
fn number(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

fn of_level(remarks: &[Remark], level: Level) -> Value {
    let remarks = remarks.iter().filter(|remark| remark.level == level);
    remarks.map(Remark::json).collect()
}

impl Findings {
    fn state(&self) -> (Style, String) {
        let (errors, warnings) = (self.count(Level::Error), self.count(Level::Warning));
        match (errors, warnings) {
            (0, 0) => (GOOD, "ok".to_owned()),
            (0, _) => (WARNING, number(warnings, "warning")),
            (_, 0) => (ERROR, number(errors, "error")),
            _ => {
                let (errors, warnings) = (number(errors, "error"), number(warnings, "warning"));
                (ERROR, format!("{errors}, {warnings}"))
            }
        }
    }

    fn json(&self) -> Value {
        let of = |level| of_level(&self.remarks, level);
        let tokens = self.tokens.iter();
        let tokens: Map<String, Value> = tokens
            .map(|(dialect, tokens)| (dialect.to_string(), Value::from(*tokens)))
            .collect();
        json!({
            "name": self.name,
            "source": self.source.map(|origin| origin.to_string()),
            "errors": of(Level::Error),
            "warnings": of(Level::Warning),
            "notes": of(Level::Note),
            "tokens": tokens,
        })
    }
}

impl Remark {
    fn words(&self) -> Vec<&'static str> {
        self.dialects
            .iter()
            .map(|dialect| dialect.as_str())
            .collect()
    }

    fn json(&self) -> Value {
        json!({"text": self.text, "dialects": self.words()})
    }
}
