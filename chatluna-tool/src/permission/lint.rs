//! Rules that do not do what they seem to.

use super::{PermissionPolicy, Rule, Verdict};
use std::fmt;

/// A rule that is questionable. `Display` says why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyLint {
    /// It names a tool that is not there.
    #[non_exhaustive]
    UnknownTool {
        /// The rule.
        rule: Rule,
    },
    /// Another rule decides wherever it matches.
    #[non_exhaustive]
    NeverWins {
        /// The rule.
        rule: Rule,
        /// The rule that decides.
        by: Box<Rule>,
    },
    /// It allows whatever ends in the right way.
    #[non_exhaustive]
    Unanchored {
        /// The rule.
        rule: Rule,
    },
}

impl fmt::Display for PolicyLint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { rule } => write!(
                f,
                "the rule {rule} names no tool of this program; correct the name or remove the rule"
            ),
            Self::NeverWins { rule, by } => write!(
                f,
                "the rule {rule} never decides, {by} does; remove one of them or narrow the other"
            ),
            Self::Unanchored { rule } => write!(
                f,
                "the rule {rule} allows whatever ends that way; begin its pattern with what it is about"
            ),
        }
    }
}

impl PermissionPolicy {
    /// What is questionable about the rules, in their order, in a program with tools of these
    /// names.
    pub fn lints<'tool>(&self, tools: impl IntoIterator<Item = &'tool str>) -> Vec<PolicyLint> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let tools: Vec<&str> = tools.into_iter().collect();
        let each = self.rules.iter().enumerate();
        each.flat_map(|(index, rule)| self.lint(index, rule, &tools))
            .collect()
    }

    fn lint(&self, index: usize, rule: &Rule, tools: &[&str]) -> Vec<PolicyLint> {
        let mut lints = Vec::new();
        if names_no_tool(rule, tools) {
            let rule = rule.clone();
            lints.push(PolicyLint::UnknownTool { rule });
        }
        if let Some(by) = self.winner(index, rule) {
            let (rule, by) = (rule.clone(), Box::new(by.clone()));
            lints.push(PolicyLint::NeverWins { rule, by });
        }
        if rule.is_unanchored_allow() {
            let rule = rule.clone();
            lints.push(PolicyLint::Unanchored { rule });
        }
        lints
    }

    /// The rule that decides wherever this one matches.
    fn winner(&self, index: usize, rule: &Rule) -> Option<&Rule> {
        if rule.verdict == Verdict::Deny {
            return None;
        }
        let mut others = self.rules.iter().enumerate();
        let wins = |(other, winner): &(usize, &Rule)| {
            *other != index && winner.beats(rule, *other > index) && winner.includes(rule)
        };
        others.find(wins).map(|(_, winner)| winner)
    }
}

/// Whether the rule is about tools and there is none that it is about.
fn names_no_tool(rule: &Rule, tools: &[&str]) -> bool {
    let area = ["tool:", "ask:"].into_iter();
    let mut area = area.filter(|area| rule.action().starts_with(area));
    let none = |area: &str| {
        let mut actions = tools.iter().map(|tool| format!("{area}{tool}"));
        !actions.any(|action| rule.action.matches(&action))
    };
    area.next().is_some_and(none)
}

impl Rule {
    /// Whether it decides where both match.
    fn beats(&self, other: &Self, is_later: bool) -> bool {
        match (self.is_final, other.is_final) {
            _ if self.verdict == Verdict::Deny => true,
            (true, false) => true,
            (false, true) => false,
            (true, true) => !is_later,
            (false, false) => is_later,
        }
    }

    /// Whether it matches wherever the other does.
    fn includes(&self, other: &Self) -> bool {
        // First: most rules are about something else.
        if !self.action.covers(&other.action) {
            return false;
        }
        let target = match (&self.target, &other.target) {
            (None, _) => true,
            (Some(wide), Some(narrow)) if narrow.as_str().is_empty() => wide == narrow,
            (Some(wide), Some(narrow)) => wide.covers(narrow),
            (Some(_), None) => false,
        };
        let who = match (&self.who, &other.who) {
            (None, _) => true,
            (Some(wide), Some(narrow)) => wide.covers(narrow),
            (Some(_), None) => false,
        };
        let lasts = self
            .until
            .is_none_or(|end| other.until.is_some_and(|other| other <= end));
        target && who && lasts
    }

    fn is_unanchored_allow(&self) -> bool {
        let action = self.action.is_unanchored() && !self.action.is_everything();
        let target = self.target.as_ref();
        let target = target.is_some_and(|target| target.is_unanchored() && !target.is_everything());
        self.verdict == Verdict::Allow && (action || target)
    }
}
