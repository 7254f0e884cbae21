//! What was decided, and by what.

use super::policy::Ruling;
use super::{Rule, Verdict};
use std::borrow::Cow;
use std::fmt;

/// A verdict, with why in words and the rule it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// Allow, ask or deny.
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: Cow<'static, str>,
    /// The rule that decided; `None` where the mode did, or the risk.
    pub rule: Option<Rule>,
}

impl Decision {
    pub(crate) fn of(ruling: &Ruling<'_>) -> Self {
        Self {
            verdict: ruling.verdict,
            reason: ruling.cause.words(),
            rule: ruling.cause.rule().cloned(),
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.verdict, self.reason)
    }
}

/// A decision and the rules that matched and did not decide. `Display` gives a line each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The action that was judged: the one of the tool's hook, where it has one.
    pub action: String,
    /// What it is done to.
    pub targets: Vec<String>,
    /// What holds.
    pub decision: Decision,
    /// The rules that would have decided without the one that did, in their order.
    pub beaten: Vec<Rule>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.decision.verdict, self.action)?;
        for (index, target) in self.targets.iter().enumerate() {
            let word = if index == 0 { " on" } else { "," };
            write!(f, "{word} `{target}`")?;
        }
        write!(f, ": {}", self.decision.reason)?;
        for rule in &self.beaten {
            write!(f, "\nbeaten: {rule}")?;
        }
        Ok(())
    }
}
