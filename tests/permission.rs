//! Who decides whether a call may run.

use chatluna_tool::{
    AllowAll, Answer, ApprovalRequest, Approver, BoxFuture, BuildError, CallContext, DenyAll,
    ErrorKind, Permission, PermissionPolicy, Rule, Runtime, Session, SessionInfo, ToolCall,
    ToolError, ToolResult, tool,
};
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError};

/// Deploys
#[tool(
    permission = |args| Permission::new("deploy:run").target(&args.from).target(&args.to),
    traits(parallel, effect = "exec"),
)]
async fn deploy(from: String, to: String) -> String {
    format!("{from} -> {to}")
}

/// Reads
#[tool(traits(parallel, effect = "read"))]
async fn look() {}

/// Writes
#[tool(traits(parallel, effect = "write"))]
async fn save() {}

/// Asks in the middle
#[tool(traits(parallel, effect = "read"))]
async fn asking(call: &CallContext) -> Result<String, String> {
    call.ask("is it a good day")
        .await
        .map_err(|error| format!("my own words: {error}"))?;
    Ok("yes".to_owned())
}

/// Refuses by itself
#[tool(traits(parallel, effect = "read"))]
async fn refusing(call: &CallContext) -> Result<(), ToolError> {
    Err(call.deny("not on a Friday"))
}

fn session(policy: PermissionPolicy) -> Result<Session, BuildError> {
    let runtime = Runtime::builder().collect().policy(policy).build()?;
    Ok(runtime.session(SessionInfo::new("s")))
}

fn asked(policy: PermissionPolicy, approver: impl Approver) -> Result<Session, BuildError> {
    let runtime = Runtime::builder()
        .collect()
        .policy(policy)
        .approver(approver)
        .build()?;
    Ok(runtime.session(SessionInfo::new("s")))
}

async fn kind(session: &Session, name: &str) -> Option<ErrorKind> {
    session.call(name, "{}").await.error()
}

async fn deploying(
    policy: PermissionPolicy,
    from: &str,
    to: &str,
) -> Result<ToolResult, BuildError> {
    Ok(session(policy)?
        .call("deploy", json!({"from": from, "to": to}))
        .await)
}

#[tokio::test]
async fn without_rules_the_effect_decides() -> Result<(), BuildError> {
    let session = session(PermissionPolicy::new())?;
    assert_eq!(kind(&session, "look").await, None);
    assert_eq!(kind(&session, "save").await, Some(ErrorKind::NoApprover));
    let result = session
        .call("deploy", json!({"from": "a", "to": "b"}))
        .await;
    assert_eq!(
        result.text(),
        "error (no_approver): the call needs an approval (the tool executes and no rule covers it) \
         and nobody is there to give it; nothing was run; do not try it again"
    );
    Ok(())
}

#[tokio::test]
async fn allow_all_allows_what_no_other_rule_matches() -> Result<(), BuildError> {
    let session = session(
        PermissionPolicy::allow_all()
            .deny("tool:look")
            .ask("tool:asking"),
    )?;
    assert_eq!(kind(&session, "save").await, None);
    assert_eq!(kind(&session, "look").await, Some(ErrorKind::UnknownTool));
    assert_eq!(kind(&session, "asking").await, Some(ErrorKind::NoApprover));
    Ok(())
}

#[tokio::test]
async fn deny_wins_and_then_the_last_rule() -> Result<(), BuildError> {
    let ask_last = session(
        PermissionPolicy::new()
            .deny("tool:save")
            .allow("tool:*")
            .ask("tool:loo?"),
    )?;
    assert_eq!(kind(&ask_last, "save").await, Some(ErrorKind::UnknownTool));
    assert_eq!(kind(&ask_last, "look").await, Some(ErrorKind::NoApprover));
    let allow_last = session(PermissionPolicy::new().ask("tool:look").allow("tool:*"))?;
    assert_eq!(kind(&allow_last, "look").await, None);
    Ok(())
}

#[tokio::test]
async fn the_hook_decides_unless_the_tool_itself_is_denied() -> Result<(), BuildError> {
    let hook = deploying(PermissionPolicy::new().allow("deploy:*"), "a", "b").await?;
    assert_eq!(hook.text(), "a -> b");
    let only_tool = deploying(PermissionPolicy::new().allow("tool:deploy"), "a", "b").await?;
    assert_eq!(only_tool.error(), Some(ErrorKind::NoApprover));
    let denied = PermissionPolicy::new()
        .allow("deploy:*")
        .rule(Rule::deny("tool:deploy").target("*"));
    let denied = deploying(denied, "a", "b").await?;
    assert_eq!(
        denied.text(),
        "error (denied_by_policy): the call was refused: the policy says deny `tool:deploy` on `*`; nothing was run; do not try it again"
    );
    Ok(())
}

#[tokio::test]
async fn the_strictest_target_decides() -> Result<(), BuildError> {
    let policy = || {
        PermissionPolicy::new()
            .rule(Rule::allow("deploy:run").target("dev-*"))
            .rule(Rule::deny("deploy:run").target("prod"))
    };
    assert_eq!(deploying(policy(), "dev-1", "dev-2").await?.error(), None);
    assert_eq!(
        deploying(policy(), "dev-1", "other").await?.error(),
        Some(ErrorKind::NoApprover)
    );
    let denied = deploying(policy(), "dev-1", "prod").await?;
    assert!(
        denied.text().contains("deny `deploy:run` on `prod`"),
        "{denied:?}"
    );
    Ok(())
}

#[tokio::test]
async fn an_approver_says_yes_or_no() -> Result<(), BuildError> {
    let yes = asked(PermissionPolicy::new(), AllowAll)?;
    assert_eq!(kind(&yes, "save").await, None);
    let no = asked(PermissionPolicy::new(), DenyAll)?;
    assert_eq!(kind(&no, "look").await, None);
    let refused = no.call("save", "{}").await;
    assert_eq!(refused.error(), Some(ErrorKind::DeniedByUser));
    assert!(
        refused.text().ends_with("do not try it again"),
        "{refused:?}"
    );
    Ok(())
}

/// Remembers what it was asked.
#[derive(Clone, Default)]
struct Scribe(Arc<Mutex<Vec<String>>>);

impl Scribe {
    fn heard(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Approver for Scribe {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        let line = format!(
            "{} {} {} {:?} {} ({}) {}",
            request.call_id().unwrap_or_default(),
            request.tool().unwrap_or_default(),
            request.permission().action(),
            request.permission().targets(),
            request.arguments().unwrap_or_default(),
            request.reason(),
            request.session().id,
        );
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
        Box::pin(async {
            tokio::task::yield_now().await;
            Answer::Once
        })
    }
}

#[tokio::test]
async fn questions_come_in_call_order_and_say_what_is_wanted() -> Result<(), BuildError> {
    let scribe = Scribe::default();
    let session = asked(PermissionPolicy::new(), scribe.clone())?;
    let deploy = json!({"from": "a", "to": "b"});
    let calls = [
        ToolCall::new("save", "{}").id("1"),
        ToolCall::new("look", "{}").id("2"),
        ToolCall::new("deploy", deploy).id("3"),
        ToolCall::new("asking", "{}").id("4"),
    ];
    let results = session.execute(calls).await;
    assert!(
        results.iter().all(|result| result.error().is_none()),
        "{results:?}"
    );
    assert_eq!(
        scribe.heard(),
        [
            r#"1 save tool:save [] {} (the tool writes and no rule covers it) s"#,
            r#"3 deploy deploy:run ["a", "b"] {"from":"a","to":"b"} (the tool executes and no rule covers it) s"#,
            r#"4 asking ask:asking ["is it a good day"] {} (is it a good day) s"#,
        ]
    );
    Ok(())
}

#[tokio::test]
async fn a_refusal_is_remembered_through_any_error_type() -> Result<(), BuildError> {
    let alone = session(PermissionPolicy::new())?;
    let result = alone.call("asking", "{}").await;
    assert_eq!(result.error(), Some(ErrorKind::NoApprover));
    assert!(
        result
            .text()
            .contains("my own words: the call needs an approval (is it a good day)")
    );
    let refused = asked(PermissionPolicy::new(), DenyAll)?;
    assert_eq!(
        kind(&refused, "asking").await,
        Some(ErrorKind::DeniedByUser)
    );
    let denied = alone.call("refusing", "{}").await;
    assert_eq!(
        denied.text(),
        "error (denied_by_policy): the call was refused: not on a Friday; do not try it again"
    );
    Ok(())
}

#[tokio::test]
async fn a_host_program_can_ask_for_itself() -> Result<(), BuildError> {
    let policy = || {
        PermissionPolicy::new()
            .allow("plugin:load")
            .deny("plugin:unload")
    };
    let alone = session(policy())?;
    let kind = async |action| {
        let permission = Permission::new(action);
        alone
            .authorize(permission)
            .await
            .err()
            .map(|error| error.kind())
    };
    assert_eq!(kind("plugin:load").await, None);
    assert_eq!(kind("plugin:unload").await, Some(ErrorKind::DeniedByPolicy));
    assert_eq!(kind("plugin:other").await, Some(ErrorKind::NoApprover));
    let scribe = Scribe::default();
    let asked = asked(policy(), scribe.clone())?;
    assert!(
        asked
            .authorize(Permission::new("plugin:other").target("x"))
            .await
            .is_ok()
    );
    let expected = r#"  plugin:other ["x"]  (the tool executes and no rule covers it) s"#;
    assert_eq!(scribe.heard(), [expected]);
    Ok(())
}

#[tokio::test]
async fn a_deny_of_the_tool_on_a_target_holds_beside_the_hook() -> Result<(), BuildError> {
    let policy = PermissionPolicy::new()
        .allow("deploy:*")
        .rule(Rule::deny("tool:deploy").target("prod"));
    let denied = deploying(policy.clone(), "a", "prod").await?;
    assert_eq!(denied.error(), Some(ErrorKind::DeniedByPolicy));
    assert_eq!(deploying(policy, "a", "b").await?.error(), None);
    Ok(())
}

#[test]
fn stars_alone_are_everything_unless_a_target_narrows_them() {
    assert!(session(PermissionPolicy::new().allow("**")).is_err());
    let narrowed = Rule::allow("*").target("staging");
    assert!(session(PermissionPolicy::new().rule(narrowed)).is_ok());
}

/// Asks twice, then fails
#[tool(traits(effect = "read"))]
async fn persistent(call: &CallContext) -> Result<(), ToolError> {
    let _ = call.ask("first").await;
    call.ask("second").await?;
    Err(ToolError::retry("bad arg"))
}

#[tokio::test]
async fn an_approval_lifts_an_earlier_refusal() -> Result<(), BuildError> {
    let no = Answer::Reject("no".to_owned());
    let approver = chatluna_tool::testing::ScriptedApprover::new([no, Answer::Once]);
    let session = asked(PermissionPolicy::new(), Arc::new(approver.clone()))?;
    let result = session.call("persistent", "{}").await;
    assert_eq!(result.text(), "error (retry): bad arg");
    assert_eq!(approver.questions().len(), 2);
    Ok(())
}
