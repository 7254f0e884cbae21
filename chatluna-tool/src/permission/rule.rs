//! One line of a policy.

use super::pattern::{Pattern, Text};
use super::wish::Wish;
use crate::identity::{SessionInfo, Subject};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::time::SystemTime;

/// The answer of a policy.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
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

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One line of a policy: a verdict on an action, perhaps on some targets, for somebody, for a time.
///
/// Patterns know `*` (any characters) and `?` (one) and match whole texts; `[*]`, `[?]` and `[[]`
/// stand for the character between the brackets.
///
/// ```
/// use chatluna_tool::{Rule, Who};
///
/// let rule = Rule::allow("deploy:run").target("staging-*").who(Who::user("li").platform("matrix"));
/// assert_eq!(
///     rule.to_string(),
///     "allow `deploy:run` on `staging-*` for user `li`, platform `matrix`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(super) verdict: Verdict,
    pub(super) action: Pattern,
    pub(super) target: Option<Pattern>,
    pub(super) who: Option<Box<Who>>,
    pub(super) until: Option<SystemTime>,
    pub(super) is_final: bool,
    pub(super) unsafe_allow_all: bool,
}

impl Rule {
    /// Allows an action. A bare `*` is refused by [`build`](crate::RuntimeBuilder::build):
    /// [`PermissionPolicy::allow_all`](crate::PermissionPolicy::allow_all) says it.
    pub fn allow(action: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Verdict::Allow, Pattern::new(action))
    }

    /// Asks before an action.
    pub fn ask(action: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Verdict::Ask, Pattern::new(action))
    }

    /// Denies an action. Without a target, a rule that denies `tool:<name>` also hides the tool from
    /// those to whom it denies it.
    pub fn deny(action: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Verdict::Deny, Pattern::new(action))
    }

    pub(super) fn new(verdict: Verdict, action: Pattern) -> Self {
        Self {
            verdict,
            action,
            target: None,
            who: None,
            until: None,
            is_final: false,
            unsafe_allow_all: false,
        }
    }

    /// Narrows the rule to targets that match. It then says nothing of calls without targets, of
    /// which an empty text speaks.
    ///
    /// Targets are compared as text: a hook that gives paths gives them without `..`.
    #[must_use]
    pub fn target(mut self, target: impl Into<Cow<'static, str>>) -> Self {
        self.target = Some(Pattern::new(target));
        self
    }

    /// Narrows the rule to those whom it matches.
    #[must_use]
    pub fn who(mut self, who: Who) -> Self {
        self.who = Some(Box::new(who));
        self
    }

    /// Ends the rule: from this moment on it says nothing.
    #[must_use]
    pub fn until(mut self, end: SystemTime) -> Self {
        self.until = Some(end);
        self
    }

    /// Makes the rule win over `allow` and `ask` rules that come later, and over answers that are
    /// remembered. Of two final rules the first wins.
    ///
    /// A final `ask` asks each time. Rules that deny win in any case.
    #[must_use]
    pub fn is_final(mut self) -> Self {
        self.is_final = true;
        self
    }

    /// Says that an `allow` of everything (`*`) is meant.
    #[must_use]
    pub fn unsafe_allow_all(mut self) -> Self {
        self.unsafe_allow_all = true;
        self
    }

    /// What the rule says.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The pattern of actions.
    pub fn action(&self) -> &str {
        self.action.as_str()
    }

    /// Whether it allows all, and nobody has said that this is meant.
    pub(super) fn is_bare_allow(&self) -> bool {
        let unmeant = self.verdict == Verdict::Allow && !self.unsafe_allow_all;
        unmeant && self.target.is_none() && self.action.is_everything()
    }

    /// Whether it speaks of a wish of whoever asks, at this time.
    #[inline]
    pub(super) fn covers(&self, wish: &Wish<'_>, asker: &Asker<'_>) -> bool {
        self.may_cover(wish)
            && self.who.as_ref().is_none_or(|who| who.matches(asker))
            && self.action.matches(wish.action)
            && matches(self.target.as_ref(), wish.target)
            && self.until.is_none_or(|end| asker.now() < end)
    }

    /// A quick look at both patterns: most rules are about something else.
    #[inline]
    fn may_cover(&self, wish: &Wish<'_>) -> bool {
        let target = self.target.as_ref().zip(wish.target);
        self.action.may_match(wish.action)
            && target.is_none_or(|(pattern, target)| pattern.may_match(target))
    }
}

/// Whether there is no pattern, or it matches; an empty one matches where there is nothing.
fn matches(pattern: Option<&Pattern>, text: Option<Text<'_>>) -> bool {
    pattern.is_none_or(|pattern| match text {
        Some(text) => pattern.matches(text),
        None => pattern.as_str().is_empty(),
    })
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.verdict, self.action())?;
        match self.target.as_ref().map(Pattern::as_str) {
            Some("") => f.write_str(" without a target")?,
            Some(target) => write!(f, " on `{target}`")?,
            None => {}
        }
        if let Some(who) = &self.who {
            write!(f, " for {who}")?;
        }
        if let Some(end) = self.until {
            write!(f, " until {}", humantime::format_rfc3339_seconds(end))?;
        }
        if self.is_final {
            f.write_str(", final")?;
        }
        Ok(())
    }
}

/// Who asks, and when: looked at once a decision, and only where a rule wants to know.
pub(super) struct Asker<'session> {
    session: &'session SessionInfo,
    parts: OnceCell<[Option<Text<'session>>; Who::PARTS.len()]>,
    now: OnceCell<SystemTime>,
}

impl<'session> Asker<'session> {
    pub(super) fn new(session: &'session SessionInfo) -> Self {
        Self {
            session,
            parts: OnceCell::new(),
            now: OnceCell::new(),
        }
    }

    #[cfg(test)]
    pub(super) fn knows_the_time(&self) -> bool {
        self.now.get().is_some()
    }

    fn now(&self) -> SystemTime {
        *self.now.get_or_init(SystemTime::now)
    }

    /// What there is of each of [`Who::PARTS`].
    fn parts(&self) -> &[Option<Text<'session>>; Who::PARTS.len()] {
        self.parts.get_or_init(|| {
            let subject = self.session.subject.as_ref();
            let of_subject = |part: fn(&Subject) -> Option<&str>| subject.and_then(part);
            let parts = [
                subject.map(|subject| &*subject.user),
                of_subject(|subject| subject.platform.as_deref()),
                of_subject(|subject| subject.group.as_deref()),
                of_subject(|subject| subject.channel.as_deref()),
                self.session.agent.as_deref(),
                Some(&*self.session.id),
            ];
            parts.map(|part| part.map(Text::from))
        })
    }
}

/// For whom a [`Rule`] speaks: a pattern for each part that matters. An empty pattern matches where
/// the session does not say.
///
/// ```
/// use chatluna_tool::Who;
///
/// let admins = Who::user("admin-*");
/// let planner_in_chat = Who::anyone().agent("planner").session("chat-*");
/// # let _ = (admins, planner_in_chat);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Who {
    pub(super) parts: [Option<Pattern>; Who::PARTS.len()],
}

impl Who {
    /// The parts, in the order in which they are kept and printed.
    pub(super) const PARTS: [&'static str; 6] =
        ["user", "platform", "group", "channel", "agent", "session"];

    /// Everyone, to be narrowed.
    pub fn anyone() -> Self {
        Self::default()
    }

    /// Users whose id matches.
    pub fn user(id: impl Into<Cow<'static, str>>) -> Self {
        Self::anyone().with(0, id)
    }

    /// Narrows to chat platforms.
    pub fn platform(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.with(1, name)
    }

    /// Narrows to groups.
    pub fn group(self, id: impl Into<Cow<'static, str>>) -> Self {
        self.with(2, id)
    }

    /// Narrows to channels.
    pub fn channel(self, id: impl Into<Cow<'static, str>>) -> Self {
        self.with(3, id)
    }

    /// Narrows to agents.
    pub fn agent(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.with(4, name)
    }

    /// Narrows to sessions.
    pub fn session(self, id: impl Into<Cow<'static, str>>) -> Self {
        self.with(5, id)
    }

    fn with(mut self, part: usize, pattern: impl Into<Cow<'static, str>>) -> Self {
        self.parts[part] = Some(Pattern::new(pattern));
        self
    }

    /// Whom an answer is remembered for: the user of the platform, and the agent.
    pub(crate) fn remembered(session: &SessionInfo) -> Option<Box<Self>> {
        let mut who = Self::default();
        if let Some(subject) = &session.subject {
            let platform = subject.platform.as_deref().unwrap_or_default();
            who.parts[0] = Some(Pattern::literal(&subject.user));
            who.parts[1] = Some(Pattern::literal(platform));
        }
        who.parts[4] = session.agent.as_deref().map(Pattern::literal);
        (who != Self::default()).then(|| Box::new(who))
    }

    fn matches(&self, asker: &Asker<'_>) -> bool {
        let mut pairs = self.parts.iter().zip(asker.parts());
        pairs.all(|(pattern, actual)| matches(pattern.as_ref(), *actual))
    }

    /// Whether this one matches all whom `other` matches.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let mut pairs = self.parts.iter().zip(&other.parts);
        pairs.all(|(wide, narrow)| match (wide, narrow) {
            (None, _) => true,
            (Some(wide), Some(narrow)) => wide.covers(narrow) && !narrow.as_str().is_empty(),
            (Some(_), None) => false,
        })
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (part, pattern) in Self::PARTS.iter().zip(&self.parts) {
            if let Some(pattern) = pattern {
                write!(f, "{separator}{part} `{}`", pattern.as_str())?;
                separator = ", ";
            }
        }
        if separator.is_empty() {
            f.write_str("anyone")?;
        }
        Ok(())
    }
}
