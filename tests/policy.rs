//! What a policy says, and how it says why.

use chatluna_tool::{
    BuildError, Effect, ErrorKind, Permission, PermissionMode, PermissionPolicy, PermissionRequest,
    Risk, Rule, Runtime, Session, SessionInfo, Subject, ToolCall, ToolDefinition, Traits, Verdict,
    Who, tool, tools,
};
use fastrand::Rng;
use std::error::Error;
use std::time::{Duration, SystemTime};

/// Reads
#[tool(traits(effect = "read"))]
async fn look() {}

/// Writes
#[tool(traits(effect = "write"))]
async fn save() {}

/// Deploys
#[tool(permission = |args| Permission::new("deploy:run").target(&args.env))]
async fn deploy(env: String) -> String {
    env
}

/// Wipes
#[tool(
    permission = |args| Permission::new("disk:wipe").risk(if args.all { Risk::Critical } else { Risk::Dangerous }),
    traits(effect = "write"),
)]
async fn wipe(all: bool) -> bool {
    all
}

fn session_of(policy: PermissionPolicy, info: SessionInfo) -> Result<Session, BuildError> {
    let builder = Runtime::builder().tools(tools![look, save, deploy, wipe]);
    Ok(builder.policy(policy).build()?.session(info))
}

fn session(policy: PermissionPolicy) -> Result<Session, BuildError> {
    session_of(policy, SessionInfo::new("s"))
}

/// What the session would decide.
fn verdict(session: &Session, tool: &str, arguments: &str) -> Verdict {
    let explained = session.explain(&ToolCall::new(tool, arguments));
    explained.map_or(Verdict::Deny, |explained| explained.decision.verdict)
}

#[test]
fn a_mode_is_a_verdict_for_each_effect() -> Result<(), BuildError> {
    use Verdict::{Allow, Ask, Deny};
    for (mode, verdicts) in [
        (PermissionMode::ReadOnly, [Allow, Deny, Deny]),
        (PermissionMode::Files, [Allow, Allow, Deny]),
        (PermissionMode::Guarded, [Allow, Ask, Ask]),
        (PermissionMode::Auto, [Ask, Ask, Ask]),
        (PermissionMode::Allow, [Allow, Allow, Allow]),
    ] {
        let session = session(PermissionPolicy::new().mode(mode))?;
        let each = [
            ("look", "{}"),
            ("save", "{}"),
            ("deploy", r#"{"env": "a"}"#),
        ];
        let said = each.map(|(tool, arguments)| verdict(&session, tool, arguments));
        assert_eq!(said, verdicts, "{mode:?}");
        assert_eq!(serde_json::to_value(mode).ok(), Some(mode.as_str().into()));
    }
    Ok(())
}

#[test]
fn the_stricter_of_two_modes_holds() -> Result<(), BuildError> {
    for policy in PermissionMode::ALL {
        for own in PermissionMode::ALL {
            let both = session_of(
                PermissionPolicy::new().mode(policy),
                SessionInfo::new("s").permission_mode(own),
            )?;
            let alone = |mode| session(PermissionPolicy::new().mode(mode));
            for tool in ["look", "save"] {
                let stricter =
                    verdict(&alone(policy)?, tool, "{}").max(verdict(&alone(own)?, tool, "{}"));
                assert_eq!(verdict(&both, tool, "{}"), stricter, "{policy:?} {own:?}");
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_rule_beats_the_mode() -> Result<(), BuildError> {
    let policy = PermissionPolicy::new().mode(PermissionMode::ReadOnly);
    let read_only = session(policy.clone().allow("tool:save"))?;
    assert_eq!(read_only.call("save", "{}").await.error(), None);
    let refused = read_only.call("deploy", r#"{"env": "a"}"#).await;
    assert_eq!(
        refused.text(),
        "error (denied_by_policy): the call was refused: the permission mode is `read-only` and the tool executes; nothing was run; do not try it again"
    );
    Ok(())
}

#[test]
fn what_is_dangerous_is_asked_about_and_what_is_critical_each_time() -> Result<(), BuildError> {
    let (some, all) = (r#"{"all": false}"#, r#"{"all": true}"#);
    for (policy, verdicts) in [
        (PermissionPolicy::allow_all(), [Verdict::Ask, Verdict::Ask]),
        (
            PermissionPolicy::new().allow("disk:*"),
            [Verdict::Allow, Verdict::Ask],
        ),
        (
            PermissionPolicy::new().allow("disk:*").deny("disk:wipe"),
            [Verdict::Deny, Verdict::Deny],
        ),
    ] {
        let session = session(policy)?;
        let said = [some, all].map(|arguments| verdict(&session, "wipe", arguments));
        assert_eq!(said, verdicts);
    }
    Ok(())
}

#[test]
fn a_final_rule_beats_those_after_it() -> Result<(), BuildError> {
    let arguments = r#"{"env": "prod"}"#;
    let asked_finally = Rule::ask("deploy:run").target("prod").is_final();
    let policy = PermissionPolicy::new()
        .rule(asked_finally)
        .allow("deploy:*");
    let explained = session(policy)?.explain(&ToolCall::new("deploy", arguments));
    assert_eq!(
        explained
            .map(|explained| explained.to_string())
            .ok()
            .as_deref(),
        Some(
            "ask `deploy:run` on `prod`: the policy says ask `deploy:run` on `prod`, final\nbeaten: allow `deploy:*`"
        )
    );
    let denied = PermissionPolicy::new()
        .rule(Rule::allow("deploy:*").is_final())
        .rule(Rule::ask("deploy:*").is_final());
    assert_eq!(
        verdict(&session(denied.clone())?, "deploy", arguments),
        Verdict::Allow
    );
    let denied = session(denied.deny("deploy:run"))?;
    assert_eq!(verdict(&denied, "deploy", arguments), Verdict::Deny);
    Ok(())
}

#[test]
fn a_rule_speaks_for_those_whom_it_names() -> Result<(), BuildError> {
    let li = || {
        Subject::user("li")
            .platform("matrix")
            .group("rust")
            .channel("general")
    };
    let info = |subject| SessionInfo::new("chat-7").agent("planner").subject(subject);
    let allows = |who: Who, info: SessionInfo| -> Result<bool, BuildError> {
        let policy = PermissionPolicy::new().rule(Rule::allow("tool:save").who(who));
        Ok(verdict(&session_of(policy, info)?, "save", "{}") == Verdict::Allow)
    };
    for who in [
        Who::anyone(),
        Who::user("l?"),
        Who::user("li").platform("matrix"),
        Who::anyone().group("ru*"),
        Who::anyone().channel("general"),
        Who::anyone().agent("planner").session("chat-*"),
    ] {
        assert!(allows(who.clone(), info(li()))?, "{who}");
    }
    for who in [
        Who::user("wu"),
        Who::user("li").platform("irc"),
        Who::anyone().group("go"),
        Who::anyone().channel("random"),
        Who::anyone().agent("coder"),
        Who::anyone().session("other"),
        Who::user(""),
    ] {
        assert!(!allows(who.clone(), info(li()))?, "{who}");
    }
    let nobody = SessionInfo::new("s");
    assert!(!allows(Who::user("*"), nobody.clone())?);
    assert!(allows(Who::user("").agent(""), nobody)?);
    Ok(())
}

#[test]
fn a_rule_ends_when_it_says() -> Result<(), BuildError> {
    let hour = Duration::from_secs(3_600);
    let until = |end| PermissionPolicy::new().rule(Rule::allow("tool:save").until(end));
    let (past, future) = (SystemTime::now() - hour, SystemTime::now() + hour);
    assert_eq!(verdict(&session(until(past))?, "save", "{}"), Verdict::Ask);
    assert_eq!(
        verdict(&session(until(future))?, "save", "{}"),
        Verdict::Allow
    );
    Ok(())
}

#[tokio::test]
async fn a_bare_deny_hides_the_tool_from_whom_it_denies_it() -> Result<(), BuildError> {
    let policy = PermissionPolicy::new().rule(Rule::deny("tool:s*").who(Who::user("guest")));
    let names = |session: &Session| -> Vec<String> {
        let definitions = session.definitions().into_iter();
        definitions.map(|tool| tool.name().to_owned()).collect()
    };
    let guest = SessionInfo::new("g").subject(Subject::user("guest"));
    let guest = session_of(policy.clone(), guest)?;
    assert_eq!(names(&guest), ["deploy", "look", "wipe"]);
    assert_eq!(
        guest.call("save", "{}").await.text(),
        "error (unknown_tool): no tool is named `save`; there are: deploy, look, wipe"
    );
    let li = SessionInfo::new("l").subject(Subject::user("li"));
    assert_eq!(names(&session_of(policy, li)?).len(), 4);
    let on_targets = PermissionPolicy::new().rule(Rule::deny("tool:deploy").target("prod"));
    assert_eq!(names(&session(on_targets)?).len(), 4);
    Ok(())
}

#[test]
fn a_policy_is_read_from_toml_and_json() -> Result<(), Box<dyn Error>> {
    let text = r#"
        mode = "files"
        [[rules]]
        verdict = "allow"
        action = "deploy:run"
        target = "staging-*"
        who = { user = "li", session = "chat-*" }
        until = "2030-01-01T00:00:00Z"
        final = true
        [[rules]]
        verdict = "deny"
        action = "tool:rm_[*]"
    "#;
    let policy: PermissionPolicy = toml::from_str(text)?;
    let until = SystemTime::UNIX_EPOCH + Duration::from_secs(1_893_456_000);
    let allowed = Rule::allow("deploy:run")
        .target("staging-*")
        .who(Who::user("li").session("chat-*"))
        .until(until)
        .is_final();
    let expected = PermissionPolicy::new().mode(PermissionMode::Files);
    assert_eq!(policy, expected.rule(allowed).deny("tool:rm_[*]"));
    let json = serde_json::to_string(&policy)?;
    assert_eq!(serde_json::from_str::<PermissionPolicy>(&json)?, policy);
    assert_eq!(
        toml::from_str::<PermissionPolicy>(&toml::to_string(&policy)?)?,
        policy
    );
    Ok(())
}

#[test]
fn the_policy_of_the_documentation_is_one() -> Result<(), Box<dyn Error>> {
    let policy: PermissionPolicy =
        toml::from_str(include_str!("../chatluna-tool/docs/policy.toml"))?;
    assert_eq!(policy.rules().len(), 5);
    assert_eq!(policy.lints(["git_push"]), []);
    Ok(())
}

#[test]
fn a_policy_that_is_wrong_says_what() {
    let rule = |rest: &str| format!("[[rules]]\nverdict = \"allow\"\naction = \"a\"\n{rest}");
    for (text, said) in [
        ("modus = \"files\"".to_owned(), "unknown field `modus`"),
        ("mode = \"read_only\"".to_owned(), "`read-only`, `files`"),
        (
            "[[rules]]\naction = \"a\"".to_owned(),
            "missing field `verdict`",
        ),
        (rule("targets = \"b\""), "unknown field `targets`"),
        (
            rule("who = { name = \"li\" }"),
            "unknown field `name`, expected one of `user`",
        ),
        (
            rule("until = \"tomorrow\""),
            "`until` is `tomorrow`, which is no time such as",
        ),
    ] {
        let error = toml::from_str::<PermissionPolicy>(&text).err();
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(said), "{text}\n{error}");
    }
}

#[test]
fn all_is_allowed_only_by_those_who_say_so() {
    let meant = Rule::allow("*").unsafe_allow_all();
    assert!(session(PermissionPolicy::new().rule(meant)).is_ok());
    let error = session(PermissionPolicy::new().allow("*")).err();
    let text = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        text.contains("allow_all()") && text.contains("unsafe_allow_all"),
        "{text}"
    );
}

#[test]
fn rules_that_do_not_do_what_they_seem_to_are_reported() -> Result<(), BuildError> {
    let policy = PermissionPolicy::new()
        .allow("tool:lock")
        .allow("deploy:run")
        .rule(Rule::ask("deploy:*").target("prod"))
        .ask("deploy:*")
        .allow("*_read")
        .deny("deploy:r*")
        .rule(Rule::allow("file:write").target("*.tmp"));
    let runtime = Runtime::builder()
        .tools(tools![look])
        .policy(policy)
        .build()?;
    let report = runtime.report();
    let lines: Vec<String> = report.policy.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "the rule allow `tool:lock` names no tool of this program; correct the name or remove the rule",
            "the rule allow `deploy:run` never decides, ask `deploy:*` does; remove one of them or narrow the other",
            "the rule ask `deploy:*` on `prod` never decides, ask `deploy:*` does; remove one of them or narrow the other",
            "the rule allow `*_read` allows whatever ends that way; begin its pattern with what it is about",
            "the rule allow `file:write` on `*.tmp` allows whatever ends that way; begin its pattern with what it is about",
        ]
    );
    Ok(())
}

#[tokio::test]
async fn a_policy_in_the_shadow_decides_nothing() -> Result<(), BuildError> {
    use chatluna_tool::{Event, EventKind};
    let runtime = Runtime::builder()
        .tools(tools![look, save])
        .policy(PermissionPolicy::allow_all())
        .shadow_policy(PermissionPolicy::new().deny("tool:look").ask("tool:save"))
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let mut events = session.events();
    assert_eq!(session.call("look", "{}").await.error(), None);
    assert_eq!(session.call("save", "{}").await.error(), None);
    drop((session, runtime));
    let mut shadowed = Vec::new();
    while let Some(event) = events.next().await {
        if let Event::Call(event) = event
            && let EventKind::Shadowed(decision) = event.kind
        {
            shadowed.push(format!("{} {decision}", event.tool));
        }
    }
    assert_eq!(
        shadowed,
        [
            "look deny: the policy says deny `tool:look`",
            "save ask: the policy says ask `tool:save`",
        ]
    );
    Ok(())
}

// Random rules.

const ACTIONS: [&str; 4] = ["tool:look", "file:read", "file:write", "net:get"];
const PATTERNS: [&str; 8] = [
    "*",
    "tool:*",
    "file:*",
    "file:?ead",
    "*:write",
    "net:get",
    "tool:look",
    "f*e",
];
const TARGETS: [&str; 4] = ["a", "b/c", "prod", ""];
const TARGET_PATTERNS: [&str; 5] = ["*", "a", "b/*", "prod", ""];
const USERS: [&str; 2] = ["li", "wu"];

fn rule(random: &mut Rng, verdict: Verdict) -> Rule {
    let action = PATTERNS[random.usize(..PATTERNS.len())];
    let mut rule = match verdict {
        Verdict::Allow => Rule::allow(action).unsafe_allow_all(),
        Verdict::Ask => Rule::ask(action),
        Verdict::Deny => Rule::deny(action),
    };
    if random.u8(..3) == 0 {
        rule = rule.target(TARGET_PATTERNS[random.usize(..TARGET_PATTERNS.len())]);
    }
    if random.u8(..4) == 0 {
        rule = rule.who(Who::user(USERS[random.usize(..2)]));
    }
    if random.u8(..5) == 0 {
        rule = rule.is_final();
    }
    rule
}

fn rules(random: &mut Rng) -> Vec<Rule> {
    let count = random.usize(..8);
    let verdicts = [Verdict::Allow, Verdict::Ask, Verdict::Deny];
    let one = |random: &mut Rng| {
        let verdict = verdicts[random.usize(..3)];
        rule(random, verdict)
    };
    (0..count).map(|_| one(random)).collect()
}

fn policy(mode: PermissionMode, rules: &[Rule]) -> PermissionPolicy {
    let policy = PermissionPolicy::new().mode(mode);
    rules.iter().cloned().fold(policy, PermissionPolicy::rule)
}

/// Everything that may be asked of a policy.
fn each_wish(mut check: impl FnMut(&PermissionRequest<'_>)) {
    let definition = ToolDefinition::new("look", "Looks");
    for user in USERS {
        let info = SessionInfo::new("s").subject(Subject::user(user));
        for effect in [Effect::Read, Effect::Write, Effect::Exec] {
            let tool = definition.clone().traits(Traits::new().effect(effect));
            check(&PermissionRequest::of_tool(&tool, None, &info));
            for action in ACTIONS {
                for (first, second) in TARGETS
                    .iter()
                    .flat_map(|one| TARGETS.map(|two| (*one, two)))
                {
                    let wish = Permission::new(action).target(first).target(second);
                    check(&PermissionRequest::of_tool(&tool, Some(&wish), &info));
                    check(&PermissionRequest::new(
                        &Permission::new(action),
                        effect,
                        &info,
                    ));
                }
            }
        }
    }
}

#[test]
fn the_rules_decide_in_the_documented_order() {
    for seed in 0..300 {
        let random = &mut Rng::with_seed(seed);
        let mode = PermissionMode::ALL[random.usize(..5)];
        let rules = rules(random);
        let policy = policy(mode, &rules);
        for (action, target) in ACTIONS.iter().flat_map(|it| TARGETS.map(|to| (*it, to))) {
            let wish = Permission::new(action).target(target);
            let info = SessionInfo::new("s").subject(Subject::user(USERS[0]));
            let wish = PermissionRequest::new(&wish, Effect::Exec, &info);
            let alone = |rule: &Rule| PermissionPolicy::new().rule(rule.clone()).explain(&wish);
            let matching = rules
                .iter()
                .filter(|rule| alone(rule).decision.rule.is_some());
            let matching: Vec<&Rule> = matching.collect();
            let first = |is: fn(&Rule) -> bool| matching.iter().copied().find(|rule| is(rule));
            let denies = first(|rule| rule.verdict() == Verdict::Deny);
            let is_final = first(|rule| rule.to_string().ends_with(", final"));
            let expected = denies.or(is_final).or(matching.last().copied());
            let explained = policy.explain(&wish);
            assert_eq!(
                explained.decision.rule.as_ref(),
                expected,
                "seed {seed} {wish:?}"
            );
            let mut others: Vec<&Rule> = Vec::new();
            for rule in matching {
                if Some(rule) != expected && !others.contains(&rule) {
                    others.push(rule);
                }
            }
            assert!(explained.beaten.iter().eq(others), "seed {seed} {wish:?}");
        }
    }
}

#[test]
fn a_rule_that_denies_makes_nothing_more_permissive() {
    for seed in 0..150 {
        let random = &mut Rng::with_seed(seed);
        let mode = PermissionMode::ALL[random.usize(..5)];
        let before = rules(random);
        let mut after = before.clone();
        let place = random.usize(..=after.len());
        after.insert(place, rule(random, Verdict::Deny));
        let (before, after) = (policy(mode, &before), policy(mode, &after));
        each_wish(|wish| {
            let (loose, strict) = (before.explain(wish), after.explain(wish));
            assert!(
                strict.decision.verdict >= loose.decision.verdict,
                "seed {seed} {wish:?}\n{before:?}\n{after:?}"
            );
        });
    }
}

#[test]
fn the_order_of_rules_that_deny_does_not_matter() {
    for seed in 0..150 {
        let random = &mut Rng::with_seed(seed);
        let mode = PermissionMode::ALL[random.usize(..5)];
        let rules = rules(random);
        let is_denial = |rule: &Rule| rule.verdict() == Verdict::Deny;
        let (mut denials, others): (Vec<_>, Vec<_>) = rules.iter().cloned().partition(is_denial);
        random.shuffle(&mut denials);
        let shuffled: Vec<Rule> = others.into_iter().chain(denials).collect();
        let (one, other) = (policy(mode, &rules), policy(mode, &shuffled));
        each_wish(|wish| {
            let verdict = |policy: &PermissionPolicy| policy.explain(wish).decision.verdict;
            assert_eq!(verdict(&one), verdict(&other), "seed {seed} {wish:?}");
        });
    }
}

#[tokio::test]
async fn what_is_explained_is_what_happens() -> Result<(), BuildError> {
    let calls = [
        ToolCall::new("look", "{}"),
        ToolCall::new("save", "{}"),
        ToolCall::new("deploy", r#"{"env": "prod"}"#),
        ToolCall::new("wipe", r#"{"all": true}"#),
        ToolCall::new("wipe", r#"{"all": false}"#),
    ];
    let actions = [
        "tool:*",
        "tool:save",
        "deploy:run",
        "disk:*",
        "*",
        "tool:look",
        "d*",
    ];
    for seed in 0..300 {
        let random = &mut Rng::with_seed(seed);
        let mode = PermissionMode::ALL[random.usize(..5)];
        let rules: Vec<Rule> = (0..random.usize(..6))
            .map(|_| {
                let action = actions[random.usize(..actions.len())];
                let rule = match random.u8(..3) {
                    0 => Rule::allow(action).unsafe_allow_all(),
                    1 => Rule::ask(action),
                    _ => Rule::deny(action),
                };
                if random.bool() {
                    rule.target("prod")
                } else {
                    rule
                }
            })
            .collect();
        let session = session(policy(mode, &rules))?;
        for call in &calls {
            let explained = session.explain(call);
            let result = session.call(&call.name, call.arguments.clone()).await;
            let expected = match explained.map(|explained| explained.decision.verdict) {
                Ok(Verdict::Allow) => None,
                Ok(Verdict::Ask) => Some(ErrorKind::NoApprover),
                Ok(Verdict::Deny) if session.definition(&call.name).is_ok() => {
                    Some(ErrorKind::DeniedByPolicy)
                }
                Ok(Verdict::Deny) => Some(ErrorKind::UnknownTool),
                Err(error) => Some(error.kind()),
            };
            assert_eq!(
                result.error(),
                expected,
                "seed {seed} {} {rules:?}",
                call.name
            );
            let is_visible = session.definition(&call.name).is_ok();
            assert_eq!(is_visible, result.error() != Some(ErrorKind::UnknownTool));
        }
    }
    Ok(())
}
