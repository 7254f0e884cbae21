//! How rules decide.

use super::explain::{Decision, Explanation};
use super::rule::Asker;
use super::wish::{PermissionRequest, Wish};
use super::{PermissionMode, Risk, Rule, Verdict};
use crate::identity::SessionInfo;
use std::borrow::Cow;
use std::fmt;

/// What calls are allowed, asked about and denied.
///
/// The action of a call is what the tool's permission hook says, or `tool:<name>`, which is judged
/// in any case: a rule that denies either wins. Then, for the hook's action if there is one,
///
/// 1. a rule that denies wins, however narrow the rules are that allow;
/// 2. then the first [final](Rule::is_final) rule;
/// 3. then the last `allow` or `ask` rule, answers that are remembered coming after the rules;
/// 4. where no rule matches, the [mode](PermissionMode) decides by the tool's effect.
///
/// Of several targets each is judged, and the strictest verdict holds. What the tool calls
/// [`Risk::Critical`] is asked about where it would be allowed.
///
/// ```
/// use chatluna_tool::{PermissionMode, PermissionPolicy, Rule, Who};
///
/// let policy = PermissionPolicy::new()
///     .mode(PermissionMode::Files)
///     .allow("tool:git_*")
///     .deny("tool:git_push")
///     .rule(Rule::allow("deploy:run").target("staging").who(Who::user("li")));
/// # let _ = policy;
/// ```
///
/// It can be read from a file with serde, `toml::from_str` or `serde_json::from_str`. All keys of a
/// rule but `verdict` and `action` are optional:
///
/// ```toml
#[doc = include_str!("../../docs/policy.toml")]
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct PermissionPolicy {
    pub(super) mode: PermissionMode,
    pub(super) rules: Vec<Rule>,
}

/// A verdict and what it rests on.
pub(crate) struct Ruling<'rules> {
    pub(crate) verdict: Verdict,
    pub(crate) cause: Cause<'rules>,
}

/// The deciding rule, or the setting that holds without one. `Display` says it in words.
#[derive(Clone, Copy)]
pub(crate) enum Cause<'rules> {
    Rule(Match<'rules>),
    Setting(&'static str),
}

/// A rule that matches.
#[derive(Clone, Copy)]
pub(crate) struct Match<'rules> {
    rule: &'rules Rule,
    is_remembered: bool,
}

impl<'rules> Cause<'rules> {
    pub(crate) fn rule(&self) -> Option<&'rules Rule> {
        match self {
            Self::Rule(matching) => Some(matching.rule),
            Self::Setting(_) => None,
        }
    }

    /// The words, without a copy where they are fixed.
    pub(crate) fn words(&self) -> Cow<'static, str> {
        match self {
            Self::Setting(words) => Cow::Borrowed(words),
            Self::Rule(_) => Cow::Owned(self.to_string()),
        }
    }
}

impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(Match {
                rule,
                is_remembered: false,
            }) => write!(f, "the policy says {rule}"),
            Self::Rule(Match { rule, .. }) => write!(f, "a remembered answer says {rule}"),
            Self::Setting(words) => f.write_str(words),
        }
    }
}

/// All that decides in a session: a policy, and the answers that are remembered.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'rules> {
    pub(crate) policy: &'rules PermissionPolicy,
    /// Those of the store, of the session, of the turn.
    pub(crate) remembered: [&'rules [Rule]; 3],
}

impl<'rules> Rules<'rules> {
    pub(crate) fn decide(self, request: &PermissionRequest<'_>) -> Ruling<'rules> {
        if self.policy.rules.is_empty() && self.remembered.iter().all(|rules| rules.is_empty()) {
            return self.unruled(request);
        }
        let asker = Asker::new(request.session);
        let rulings = request
            .wishes()
            .filter_map(|wish| match self.deciding(&wish, &asker) {
                Some(found) => Some(by_rule(found, request.risk())),
                None => wish.decides.then(|| self.unruled(request)),
            });
        rulings
            .reduce(stricter)
            .unwrap_or_else(|| self.unruled(request))
    }

    /// The rule that decides about a wish. It is no more than one that denies where the wish is not
    /// what decides.
    //
    // From the strongest on, so that where one matches no weaker one is matched at all.
    fn deciding(self, wish: &Wish<'_>, asker: &Asker<'_>) -> Option<Match<'rules>> {
        let denies = |rule: &Rule| rule.verdict == Verdict::Deny;
        let denial = self.first(|rule| denies(rule) && rule.covers(wish, asker));
        if denial.is_some() || !wish.decides {
            return denial;
        }
        let is_other = |rule: &Rule, is_final| rule.is_final == is_final && !denies(rule);
        let first = self.first(|rule| is_other(rule, true) && rule.covers(wish, asker));
        first.or_else(|| self.last(|rule| is_other(rule, false) && rule.covers(wish, asker)))
    }

    fn first(self, is: impl Fn(&Rule) -> bool) -> Option<Match<'rules>> {
        self.lists().into_iter().find_map(|(rules, is_remembered)| {
            let rule = rules.iter().find(|rule| is(rule))?;
            Some(Match {
                rule,
                is_remembered,
            })
        })
    }

    fn last(self, is: impl Fn(&Rule) -> bool) -> Option<Match<'rules>> {
        self.lists()
            .into_iter()
            .rev()
            .find_map(|(rules, is_remembered)| {
                let rule = rules.iter().rfind(|rule| is(rule))?;
                Some(Match {
                    rule,
                    is_remembered,
                })
            })
    }

    /// All rules, in order, and whether they are remembered.
    fn lists(self) -> [(&'rules [Rule], bool); 4] {
        let [kept, session, turn] = self.remembered.map(|rules| (rules, true));
        [(&self.policy.rules, false), kept, session, turn]
    }

    /// What holds where no rule matches.
    #[inline]
    pub(crate) fn unruled(self, request: &PermissionRequest<'_>) -> Ruling<'rules> {
        let Some(effect) = request.effect else {
            return asked("no rule covers it");
        };
        let risk = request.risk();
        let of_mode = |mode: PermissionMode| mode.judge(effect, risk);
        let (mut verdict, mut words) = of_mode(self.policy.mode);
        if let Some(mode) = request.session.permission_mode {
            let of_session = of_mode(mode);
            if of_session.0 > verdict {
                (verdict, words) = of_session;
            }
        }
        let cause = Cause::Setting(words);
        critical_is_asked(Ruling { verdict, cause }, risk)
    }

    pub(crate) fn explain(self, request: &PermissionRequest<'_>) -> Explanation {
        let ruling = self.decide(request);
        let asker = Asker::new(request.session);
        let mut beaten: Vec<Rule> = Vec::new();
        for wish in request.wishes() {
            let all = self.lists().into_iter().flat_map(|(rules, _)| rules);
            for rule in all.filter(|rule| rule.covers(&wish, &asker)) {
                if Some(rule) != ruling.cause.rule() && !beaten.contains(rule) {
                    beaten.push(rule.clone());
                }
            }
        }
        Explanation {
            action: request.action().to_owned(),
            targets: request.targets().to_vec(),
            decision: Decision::of(&ruling),
            beaten,
        }
    }
}

fn by_rule(found: Match<'_>, risk: Risk) -> Ruling<'_> {
    let (verdict, cause) = (found.rule.verdict, Cause::Rule(found));
    critical_is_asked(Ruling { verdict, cause }, risk)
}

fn critical_is_asked(ruling: Ruling<'_>, risk: Risk) -> Ruling<'_> {
    if risk == Risk::Critical && ruling.verdict == Verdict::Allow {
        return asked("the tool calls it critical");
    }
    ruling
}

fn asked(words: &'static str) -> Ruling<'static> {
    Ruling {
        verdict: Verdict::Ask,
        cause: Cause::Setting(words),
    }
}

/// The stricter one; of two that are alike the first.
fn stricter<'rules>(left: Ruling<'rules>, right: Ruling<'rules>) -> Ruling<'rules> {
    if right.verdict > left.verdict {
        right
    } else {
        left
    }
}

impl PermissionPolicy {
    /// No rules: the mode decides, which is [`PermissionMode::Guarded`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything is allowed that no `ask` or `deny` rule matches: [`PermissionMode::Allow`].
    pub fn allow_all() -> Self {
        Self::new().mode(PermissionMode::Allow)
    }

    /// Sets what holds where no rule matches.
    pub fn mode(mut self, mode: PermissionMode) -> Self {
        self.mode = mode;
        self
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

    /// The rules, in their order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// What the policy says of a wish, by which rule, and which rules that one beats.
    ///
    /// Answers that are remembered are not in it: see [`Session::explain`](crate::Session::explain).
    pub fn explain(&self, request: &PermissionRequest<'_>) -> Explanation {
        self.alone().explain(request)
    }

    /// All that decides where no answer is remembered.
    pub(crate) fn alone(&self) -> Rules<'_> {
        Rules {
            policy: self,
            remembered: [&[]; 3],
        }
    }

    /// Whether a rule denies the tool of this action to the session, whatever it would do.
    pub(crate) fn hides(&self, action: &str, session: &SessionInfo) -> bool {
        if self.rules.is_empty() {
            return false;
        }
        let (wish, asker) = (Wish::bare(action), Asker::new(session));
        let bare = |rule: &&Rule| rule.verdict == Verdict::Deny && rule.target.is_none();
        let mut bare = self.rules.iter().filter(bare);
        bare.any(|rule| rule.covers(&wish, &asker))
    }

    /// Whether a rule allows everything by a bare `*`.
    pub(crate) fn has_bare_allow(&self) -> bool {
        self.rules.iter().any(Rule::is_bare_allow)
    }
}

#[cfg(test)]
mod tests {
    use super::{Asker, PermissionPolicy, Wish};
    use crate::identity::SessionInfo;
    use crate::permission::Rule;
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_rule_that_is_beaten_is_not_looked_at() {
        // What ends one day has to know the time.
        let end = SystemTime::now() + Duration::from_secs(1_000);
        let beaten = Rule::allow("a").until(end);
        let (session, wish) = (
            SessionInfo::new("s"),
            Wish {
                decides: true,
                ..Wish::bare("a")
            },
        );
        for strong in [Rule::deny("a"), Rule::ask("a").is_final(), Rule::ask("a")] {
            let policy = PermissionPolicy::new().rule(beaten.clone()).rule(strong);
            let asker = Asker::new(&session);
            let found = policy.alone().deciding(&wish, &asker);
            let verdict = found.map(|found| found.rule.verdict);
            assert_eq!(verdict, Some(policy.rules[1].verdict));
            assert!(!asker.knows_the_time(), "{policy:?}");
        }
    }
}
