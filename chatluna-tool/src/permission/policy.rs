//! Rules and how they decide.

use super::{Permission, matches};
use crate::tool::Effect;
use std::borrow::Cow;
use std::fmt;

/// The answer of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Run it.
    Allow,
    /// Ask a person first.
    Ask,
    /// Refuse it.
    Deny,
}

impl Verdict {
    /// `allow`, `ask` or `deny`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A verdict and what it rests on.
pub(crate) struct Decision<'policy> {
    pub(crate) verdict: Verdict,
    pub(crate) cause: Cause<'policy>,
}

/// The deciding rule, or the setting that holds without one. `Display` says it in words.
pub(crate) enum Cause<'policy> {
    Rule(&'policy Rule),
    Setting(&'static str),
}

impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => write!(f, "the policy says {rule}"),
            Self::Setting(words) => f.write_str(words),
        }
    }
}

/// One line of a policy. Patterns know `*` (any characters) and `?` (one) and match whole texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    verdict: Verdict,
    action: Cow<'static, str>,
    target: Option<String>,
}

impl Rule {
    /// Allows an action. A bare `*` is refused by [`build`](crate::RuntimeBuilder::build):
    /// [`PermissionPolicy::allow_all`] says it.
    pub fn allow(action: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Verdict::Allow, action)
    }

    /// Asks before an action.
    pub fn ask(action: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Verdict::Ask, action)
    }

    /// Denies an action.
    pub fn deny(action: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Verdict::Deny, action)
    }

    /// Narrows the rule to targets that match. It then says nothing of calls without targets.
    ///
    /// Targets are compared as text: a hook that gives paths gives them without `..`.
    #[must_use]
    pub fn target(mut self, target: impl Into<String>) -> Self {
        self.target = Some(target.into());
        self
    }

    fn new(verdict: Verdict, action: impl Into<Cow<'static, str>>) -> Self {
        Self {
            verdict,
            action: action.into(),
            target: None,
        }
    }

    fn covers(&self, action: &str, target: Option<&str>) -> bool {
        let target = match (&self.target, target) {
            (None, _) => true,
            (Some(pattern), Some(target)) => matches(pattern, target),
            (Some(_), None) => false,
        };
        target && matches(&self.action, action)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.verdict.as_str(), self.action)?;
        match &self.target {
            Some(target) => write!(f, " on `{target}`"),
            None => Ok(()),
        }
    }
}

/// What calls are allowed, asked about and denied.
///
/// The action of a call is what the tool's permission hook says, or
/// `tool:<name>`. A rule that denies either wins over all others; then the
/// last rule that matches the action decides. Where none does, the tool's
/// effect decides: `read` is allowed, `write` and `exec` are asked about.
///
/// ```
/// use chatluna_tool::{PermissionPolicy, Rule};
///
/// let policy = PermissionPolicy::new()
///     .allow("tool:git_*")
///     .deny("tool:git_push")
///     .rule(Rule::allow("deploy:run").target("staging"));
/// # let _ = policy;
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct PermissionPolicy {
    rules: Vec<Rule>,
    allow_all: bool,
}

/// A call as the policy sees it.
pub(crate) struct Judged<'call> {
    /// `tool:<name>`, unless a host program asks for itself.
    pub(crate) tool: Option<&'call str>,
    /// What the permission hook said.
    pub(crate) permission: Option<&'call Permission>,
    pub(crate) effect: Effect,
}

impl PermissionPolicy {
    /// No rules: the tool's effect decides.
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything is allowed that no `ask` or `deny` rule matches.
    pub fn allow_all() -> Self {
        Self {
            rules: Vec::new(),
            allow_all: true,
        }
    }

    /// Adds [`Rule::allow`].
    pub fn allow(self, action: impl Into<Cow<'static, str>>) -> Self {
        self.rule(Rule::allow(action))
    }

    /// Adds [`Rule::ask`].
    pub fn ask(self, action: impl Into<Cow<'static, str>>) -> Self {
        self.rule(Rule::ask(action))
    }

    /// Adds [`Rule::deny`].
    pub fn deny(self, action: impl Into<Cow<'static, str>>) -> Self {
        self.rule(Rule::deny(action))
    }

    /// Adds a rule. Later ones win over earlier ones, except that `deny` always wins.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Whether a rule allows everything by a bare `*`.
    pub(crate) fn has_bare_allow(&self) -> bool {
        let bare = |rule: &Rule| {
            let stars = !rule.action.is_empty() && rule.action.chars().all(|letter| letter == '*');
            rule.verdict == Verdict::Allow && rule.target.is_none() && stars
        };
        self.rules.iter().any(bare)
    }

    pub(crate) fn decide(&self, call: &Judged<'_>) -> Decision<'_> {
        if self.rules.is_empty() {
            return self.unruled(call.effect);
        }
        let targets = call.permission.map_or(&[][..], Permission::targets);
        let on_tool = call.tool.map(|tool| self.judge(tool, targets, call.effect));
        let on_permission = call
            .permission
            .map(|permission| self.judge(permission.action(), permission.targets(), call.effect));
        match (on_tool, on_permission) {
            (Some(tool), Some(_)) if tool.verdict == Verdict::Deny => tool,
            (_, Some(permission)) => permission,
            (Some(tool), None) => tool,
            (None, None) => self.unruled(call.effect),
        }
    }

    /// The strictest verdict over all targets.
    fn judge(&self, action: &str, targets: &[String], effect: Effect) -> Decision<'_> {
        let each = targets
            .iter()
            .map(|target| self.judge_one(action, Some(target), effect));
        each.reduce(stricter)
            .unwrap_or_else(|| self.judge_one(action, None, effect))
    }

    fn judge_one(&self, action: &str, target: Option<&str>, effect: Effect) -> Decision<'_> {
        let covering = || {
            self.rules
                .iter()
                .rev()
                .filter(|rule| rule.covers(action, target))
        };
        let deny = covering().find(|rule| rule.verdict == Verdict::Deny);
        match deny.or_else(|| covering().next()) {
            Some(rule) => Decision {
                verdict: rule.verdict,
                cause: Cause::Rule(rule),
            },
            None => self.unruled(effect),
        }
    }

    /// What holds where no rule matches.
    fn unruled(&self, effect: Effect) -> Decision<'_> {
        let (verdict, words) = match effect {
            _ if self.allow_all => (Verdict::Allow, "the policy allows all"),
            Effect::Read => (Verdict::Allow, "the tool only reads"),
            Effect::Write => (Verdict::Ask, "the tool writes and no rule covers it"),
            Effect::Exec => (Verdict::Ask, "the tool executes and no rule covers it"),
        };
        Decision {
            verdict,
            cause: Cause::Setting(words),
        }
    }
}

fn stricter<'policy>(left: Decision<'policy>, right: Decision<'policy>) -> Decision<'policy> {
    if right.verdict > left.verdict {
        right
    } else {
        left
    }
}
