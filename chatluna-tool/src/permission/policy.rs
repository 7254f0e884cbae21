//! How rules decide.

use super::explain::{Decision, Explanation};
use super::rule::Now;
use super::{Permission, PermissionMode, Risk, Rule, Verdict};
use crate::definition::ToolDefinition;
use crate::identity::SessionInfo;
use crate::tool::Effect;
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

/// A wish that a policy judges.
///
/// ```
/// use chatluna_tool::{Effect, Permission, PermissionPolicy, PermissionRequest, SessionInfo};
///
/// let policy = PermissionPolicy::new().allow("deploy:run").deny("deploy:*");
/// let (session, wish) = (SessionInfo::new("s"), Permission::new("deploy:run").target("prod"));
/// let explained = policy.explain(&PermissionRequest::new(&wish, Effect::Exec, &session));
/// assert_eq!(
///     explained.to_string(),
///     "deny `deploy:run` on `prod`: the policy says deny `deploy:*`\nbeaten: allow `deploy:run`"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct PermissionRequest<'wish> {
    /// `tool:<name>`, unless a host program asks for itself.
    pub(crate) tool: Option<&'wish str>,
    /// What the permission hook said.
    pub(crate) permission: Option<&'wish Permission>,
    /// `None` for what nothing but a rule can decide.
    pub(crate) effect: Option<Effect>,
    pub(crate) session: &'wish SessionInfo,
}

impl<'wish> PermissionRequest<'wish> {
    /// A wish of the host program: what no rule covers is judged by `effect`.
    pub fn new(permission: &'wish Permission, effect: Effect, session: &'wish SessionInfo) -> Self {
        Self {
            tool: None,
            permission: Some(permission),
            effect: Some(effect),
            session,
        }
    }

    /// A call of a tool. `permission` is what its hook says, if it has one.
    pub fn of_tool(
        tool: &'wish ToolDefinition,
        permission: Option<&'wish Permission>,
        session: &'wish SessionInfo,
    ) -> Self {
        Self {
            tool: Some(tool.tool_name().action()),
            permission,
            effect: Some(tool.effect()),
            session,
        }
    }

    /// The action that decides.
    pub(crate) fn action(&self) -> &'wish str {
        let own = self.permission.map(Permission::action);
        own.or(self.tool).unwrap_or_default()
    }

    pub(crate) fn targets(&self) -> &'wish [String] {
        self.permission.map_or(&[], Permission::targets)
    }

    fn risk(&self) -> Risk {
        self.permission
            .map_or(Risk::Normal, |permission| permission.risk)
    }

    /// What is judged: each action on each of its targets. The hook's come last.
    fn wishes(&self) -> impl Iterator<Item = Wish<'wish>> {
        let own = self.permission.map(Permission::action);
        let actions = [(self.tool, own.is_none()), (own, true)];
        let targets = self.targets();
        actions.into_iter().flat_map(move |(action, decides)| {
            let each = targets.iter().map(|target| Some(&**target));
            let none = targets.is_empty().then_some(None);
            action.into_iter().flat_map(move |action| {
                each.clone().chain(none).map(move |target| Wish {
                    action,
                    target,
                    decides,
                })
            })
        })
    }
}

/// One action on one target.
struct Wish<'wish> {
    action: &'wish str,
    target: Option<&'wish str>,
    /// Whether more than a denial of it counts.
    decides: bool,
}

/// A verdict and what it rests on.
pub(crate) struct Ruling<'rules> {
    pub(crate) verdict: Verdict,
    pub(crate) cause: Cause<'rules>,
}

/// The deciding rule, or the setting that holds without one. `Display` says it in words.
#[derive(Clone, Copy)]
pub(crate) enum Cause<'rules> {
    Rule(&'rules Rule),
    Remembered(&'rules Rule),
    Setting(&'static str),
}

impl Cause<'_> {
    pub(crate) fn rule(&self) -> Option<&Rule> {
        match self {
            Self::Rule(rule) | Self::Remembered(rule) => Some(rule),
            Self::Setting(_) => None,
        }
    }

    /// The words, without a copy where they are fixed.
    pub(crate) fn words(&self) -> Cow<'static, str> {
        match self {
            Self::Setting(words) => Cow::Borrowed(words),
            Self::Rule(_) | Self::Remembered(_) => Cow::Owned(self.to_string()),
        }
    }
}

impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => write!(f, "the policy says {rule}"),
            Self::Remembered(rule) => write!(f, "a remembered answer says {rule}"),
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
        let now = &mut Now::default();
        let rulings = request.wishes().filter_map(|wish| {
            let ruling = match self.matching(&wish, request.session, now) {
                Some(cause) => self.by_rule(cause, request),
                None => self.unruled(request),
            };
            (wish.decides || ruling.verdict == Verdict::Deny && ruling.cause.rule().is_some())
                .then_some(ruling)
        });
        rulings
            .reduce(stricter)
            .unwrap_or_else(|| self.unruled(request))
    }

    /// The rule that decides about a wish.
    fn matching(
        self,
        wish: &Wish<'_>,
        session: &SessionInfo,
        now: &mut Now,
    ) -> Option<Cause<'rules>> {
        let (mut last, mut is_final) = (None, false);
        for cause in self.covering(wish, session, now) {
            match cause.rule() {
                Some(rule) if rule.verdict == Verdict::Deny => return Some(cause),
                Some(_) if is_final => {}
                Some(rule) => (last, is_final) = (Some(cause), rule.is_final),
                None => {}
            }
        }
        last
    }

    /// All rules that match a wish, in order.
    fn covering(
        self,
        wish: &Wish<'_>,
        session: &SessionInfo,
        now: &mut Now,
    ) -> impl Iterator<Item = Cause<'rules>> {
        let rules = self.policy.rules.iter().map(Cause::Rule);
        let remembered = self.remembered.into_iter().flatten().map(Cause::Remembered);
        rules.chain(remembered).filter(move |cause| {
            let rule = cause.rule();
            rule.is_some_and(|rule| {
                rule.covers(wish.action, wish.target) && rule.holds(session, now)
            })
        })
    }

    fn by_rule(self, cause: Cause<'rules>, request: &PermissionRequest<'_>) -> Ruling<'rules> {
        let verdict = cause.rule().map_or(Verdict::Deny, Rule::verdict);
        critical_is_asked(Ruling { verdict, cause }, request.risk())
    }

    /// What holds where no rule matches.
    fn unruled(self, request: &PermissionRequest<'_>) -> Ruling<'rules> {
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
        let now = &mut Now::default();
        let mut beaten: Vec<Rule> = Vec::new();
        for wish in request.wishes() {
            for cause in self.covering(&wish, request.session, now) {
                let rule = cause
                    .rule()
                    .filter(|rule| Some(*rule) != ruling.cause.rule());
                beaten.extend(rule.filter(|rule| !beaten.contains(rule)).cloned());
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
        let rules = Rules {
            policy: self,
            remembered: [&[]; 3],
        };
        rules.explain(request)
    }

    /// Whether a rule denies the tool of this action to the session, whatever it would do.
    pub(crate) fn hides(&self, action: &str, session: &SessionInfo) -> bool {
        let now = &mut Now::default();
        let bare = |rule: &&Rule| rule.verdict == Verdict::Deny && rule.target.is_none();
        let mut bare = self.rules.iter().filter(bare);
        bare.any(|rule| rule.covers(action, None) && rule.holds(session, now))
    }

    /// Whether a rule allows everything by a bare `*`.
    pub(crate) fn has_bare_allow(&self) -> bool {
        self.rules.iter().any(Rule::is_bare_allow)
    }
}
