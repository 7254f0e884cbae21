//! What a model reads of a call that was refused: `refusals.txt` holds every case.
//!
//! `CHATLUNA_GOLDEN=overwrite` writes the file anew; the difference is then to be read as a model
//! reads it: it says what happened, whether anything ran, and what to do now.

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, BoxFuture, BuildError, CallContext, DenyAll,
    PendingApproval, Permission, PermissionMode, PermissionPolicy, Risk, Rule, Runtime,
    RuntimeBuilder, Session, SessionInfo, ToolCall, ToolError, ToolResult, TurnInfo, approver,
    testing::ScriptedApprover, tool, tools,
};
use serde_json::json;
use std::env::var_os;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Deploys
#[tool(permission = |args| Permission::new("deploy:run").target(&args.env))]
async fn deploy(env: String) -> String {
    env
}

/// Formats a disk
#[tool(permission = |_| Permission::new("disk:format").risk(Risk::Dangerous))]
async fn format_disk() {}

/// Burns the house
#[tool(permission = |_| Permission::new("house:burn").risk(Risk::Critical))]
async fn burn() {}

/// Asks in mid-run, and reads
#[tool(traits(effect = "read"))]
async fn wonder(call: &CallContext) -> Result<(), ToolError> {
    call.ask("is it a good day?").await
}

/// Asks in mid-run, and writes
#[tool(traits(effect = "write"), permission = |_| Permission::new("page:publish"))]
async fn publish(call: &CallContext) -> Result<(), ToolError> {
    call.ask("the page is public from now on").await
}

/// Asks in mid-run from a thread, and writes
#[tool(traits(effect = "write"), permission = |_| Permission::new("page:publish"))]
fn publish_blocking(call: &CallContext) -> Result<(), ToolError> {
    call.ask_blocking("the page is public from now on")
}

/// Asks in mid-run, and says in its own words what came of it
#[tool(traits(effect = "read"))]
async fn explain(call: &CallContext) -> Result<(), String> {
    let asked = call.ask("is it a good day?").await;
    asked.map_err(|refused| format!("no page was fetched ({refused})"))
}

/// Refuses in mid-run
#[tool(traits(effect = "read"))]
async fn friday(call: &CallContext) -> Result<(), ToolError> {
    Err(call.deny("not on a Friday"))
}

/// Takes its time
#[tool(traits(effect = "read"))]
async fn slow() {
    tokio::time::sleep(Duration::from_secs(3_600)).await;
}

/// Never answers.
struct Silent;

impl Approver for Silent {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(std::future::pending())
    }
}

/// Always panics.
struct Broken;

impl Approver for Broken {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async { panic!("no connection") })
    }
}

fn with(policy: PermissionPolicy) -> RuntimeBuilder {
    let builder = Runtime::builder().tools(tools![deploy, format_disk, burn, wonder, publish]);
    let builder = builder.tools(tools![publish_blocking, explain, friday, slow]);
    builder.policy(policy.allow("page:publish"))
}

/// With the policy that asks.
fn asking(approver: impl Approver) -> RuntimeBuilder {
    with(PermissionPolicy::new()).approver(approver)
}

fn answering(answer: Answer) -> RuntimeBuilder {
    asking(ScriptedApprover::new([answer]))
}

fn reject(why: &str) -> RuntimeBuilder {
    answering(Answer::Reject(why.to_owned()))
}

fn session(builder: RuntimeBuilder) -> Result<Session, BuildError> {
    Ok(builder.build()?.session(SessionInfo::new("s")))
}

fn to(env: &str) -> ToolCall {
    ToolCall::new("deploy", json!({"env": env}))
}

/// The call of a tool without arguments.
fn bare(tool: &str) -> ToolCall {
    ToolCall::new(tool, "{}")
}

/// Every case, and what the model reads.
#[derive(Default)]
struct Cases(String);

impl Cases {
    fn part(&mut self, title: &str) -> std::fmt::Result {
        writeln!(self.0, "\n# {title}")
    }

    fn add(&mut self, case: &str, result: &ToolResult) -> std::fmt::Result {
        assert!(result.error().is_some(), "{case}: {result:?}");
        writeln!(
            self.0,
            "\n{case}\n  {}",
            result.text().replace('\n', "\n  ")
        )
    }

    /// What becomes of one call.
    async fn call(
        &mut self,
        case: &str,
        builder: RuntimeBuilder,
        call: ToolCall,
    ) -> Result<(), Box<dyn Error>> {
        let results = session(builder)?.execute([call]).await;
        Ok(self.add(case, &results[0])?)
    }
}

async fn by_the_policy(cases: &mut Cases) -> Result<(), Box<dyn Error>> {
    let policy = PermissionPolicy::new;
    cases.part("by the policy")?;
    let denying = || with(policy().deny("deploy:*"));
    cases
        .call("a rule on the action", denying(), to("prod"))
        .await?;
    let rule = Rule::deny("tool:deploy").target("prod");
    cases
        .call(
            "a rule on the target",
            with(policy().rule(rule)),
            to("prod"),
        )
        .await?;
    let hiding = with(policy().deny("tool:deploy"));
    cases
        .call("a rule that hides the tool", hiding, to("prod"))
        .await?;
    for mode in [PermissionMode::ReadOnly, PermissionMode::Files] {
        let case = format!("the mode `{}`", mode.as_str());
        cases
            .call(&case, with(policy().mode(mode)), to("prod"))
            .await?;
    }
    let planner = SessionInfo::new("s").permission_mode(PermissionMode::ReadOnly);
    let planning = with(policy()).build()?.session(planner);
    let [refused] = &planning.execute([to("prod")]).await[..] else {
        return Err("one result was expected".into());
    };
    cases.add("the mode of the session", refused)?;
    let session = session(denying())?;
    session.begin_turn(TurnInfo::new("1"));
    for attempt in ["first", "second", "third"] {
        let results = session.execute([to("prod")]).await;
        cases.add(
            &format!("the same call in one turn, the {attempt} time"),
            &results[0],
        )?;
    }
    Ok(())
}

async fn by_whoever_approves(cases: &mut Cases) -> Result<(), Box<dyn Error>> {
    cases.part("by whoever approves")?;
    cases
        .call(
            "with a reason",
            reject("production is frozen until Monday."),
            to("prod"),
        )
        .await?;
    cases
        .call("without a reason", reject(" "), to("prod"))
        .await?;
    let never = session(answering(Answer::Never))?;
    for case in ["never", "never, and tried again"] {
        let results = never.execute([to("prod")]).await;
        cases.add(case, &results[0])?;
    }
    cases
        .call("a program that refuses all", asking(DenyAll), to("prod"))
        .await?;
    cases
        .call("an approver that panics", asking(Broken), to("prod"))
        .await?;
    let (approver, questions) = approver::channel();
    drop(questions);
    cases
        .call(
            "an end of the channel that is gone",
            asking(approver),
            to("prod"),
        )
        .await?;
    let edited = |env| answering(Answer::Edited(json!({"env": env})));
    cases
        .call(
            "other arguments that are wrong",
            edited(json!(7)),
            to("prod"),
        )
        .await?;
    let rule = Rule::deny("deploy:run").target("test");
    let edited = ScriptedApprover::new([Answer::Edited(json!({"env": "test"}))]);
    let edited = with(PermissionPolicy::new().rule(rule)).approver(edited);
    cases
        .call("other arguments that are denied", edited, to("prod"))
        .await
}

async fn by_nobody(cases: &mut Cases) -> Result<(), Box<dyn Error>> {
    let alone = || with(PermissionPolicy::new());
    let minute = Duration::from_secs(60);
    cases.part("by nobody")?;
    cases
        .call("nobody to ask, because of the mode", alone(), to("prod"))
        .await?;
    let asked = with(PermissionPolicy::new().ask("deploy:*"));
    cases
        .call("nobody to ask, because of a rule", asked, to("prod"))
        .await?;
    let all = || with(PermissionPolicy::allow_all());
    cases
        .call(
            "nobody to ask about what is dangerous",
            all(),
            bare("format_disk"),
        )
        .await?;
    cases
        .call("nobody to ask about what is critical", all(), bare("burn"))
        .await?;
    let silent = || asking(Silent).approval_timeout(minute);
    cases.call("nobody answers", silent(), to("prod")).await?;
    let session = session(answering(Answer::Once).approval_timeout(minute))?;
    let results = session.execute([bare("slow"), to("prod")]).await;
    cases.add("an approval that is used too late", &results[1])?;
    Ok(())
}

async fn in_mid_run(cases: &mut Cases) -> Result<(), Box<dyn Error>> {
    cases.part("in mid-run")?;
    for tool in ["wonder", "publish", "publish_blocking", "explain"] {
        let case = format!("`{tool}` gets a no");
        cases.call(&case, reject("not today"), bare(tool)).await?;
    }
    cases
        .call("never", answering(Answer::Never), bare("publish"))
        .await?;
    let edited = answering(Answer::Edited(json!({})));
    cases
        .call("other arguments", edited, bare("publish"))
        .await?;
    let denied = with(PermissionPolicy::new().deny("ask:publish"));
    cases.call("a rule", denied, bare("publish")).await?;
    let alone = with(PermissionPolicy::new());
    cases.call("nobody to ask", alone, bare("publish")).await?;
    let silent = asking(Silent).approval_timeout(Duration::from_secs(60));
    cases
        .call("nobody answers", silent, bare("publish"))
        .await?;
    cases
        .call("an approver that panics", asking(Broken), bare("publish"))
        .await?;
    let alone = with(PermissionPolicy::new());
    cases
        .call("a tool that refuses by itself", alone, bare("friday"))
        .await
}

/// What becomes of a call that is cancelled while its question is open.
async fn aborted(call: ToolCall) -> Result<ToolResult, Box<dyn Error>> {
    let session = session(asking(Silent))?;
    let abort = async {
        while session.pending().is_empty() {
            tokio::task::yield_now().await;
        }
        session.abort();
    };
    let (results, ()) = tokio::join!(session.execute([call]), abort);
    Ok(results
        .into_iter()
        .next()
        .ok_or("one result was expected")?)
}

async fn in_the_end(cases: &mut Cases) -> Result<(), Box<dyn Error>> {
    cases.part("cancelled with the question open")?;
    cases.add("before it began", &aborted(to("prod")).await?)?;
    for tool in ["wonder", "publish", "publish_blocking"] {
        let case = format!("`{tool}` in mid-run");
        cases.add(&case, &aborted(bare(tool)).await?)?;
    }
    Ok(())
}

/// The question of a process that is gone.
async fn left_behind(call: ToolCall) -> Result<PendingApproval, Box<dyn Error>> {
    let session = session(asking(Silent))?;
    let step = session.clone();
    let running = tokio::spawn(async move { step.execute([call]).await });
    while session.pending().is_empty() {
        tokio::task::yield_now().await;
    }
    let pending = session.pending().into_iter().next();
    running.abort();
    Ok(pending.ok_or("one question was expected")?)
}

async fn in_the_next_process(cases: &mut Cases) -> Result<(), Box<dyn Error>> {
    cases.part("resumed by the next process")?;
    let runtime = with(PermissionPolicy::new()).build()?;
    let session = |id| runtime.session(SessionInfo::new(id));
    let pending = left_behind(to("prod")).await?;
    let no = Answer::Reject("not today".to_owned());
    let refused = session("s").resume(pending.clone(), no).await;
    cases.add("with a no", &refused)?;
    let other = session("t").resume(pending.clone(), Answer::Once).await;
    cases.add("by another session", &other)?;
    let mut late = pending;
    late.expires_at = late.asked_at;
    let late = session("s").resume(late, Answer::Once).await;
    cases.add("too late", &late)?;
    let begun = left_behind(bare("publish")).await?;
    let begun = session("s").resume(begun, Answer::Once).await;
    cases.add("a call that had begun", &begun)?;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn every_refusal_reads_as_the_file_says() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("refusals.txt");
    let mut cases = Cases("What a model reads of a call that was refused.\n".to_owned());
    by_the_policy(&mut cases).await?;
    by_whoever_approves(&mut cases).await?;
    by_nobody(&mut cases).await?;
    in_mid_run(&mut cases).await?;
    in_the_end(&mut cases).await?;
    in_the_next_process(&mut cases).await?;
    if var_os("CHATLUNA_GOLDEN").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, &cases.0)?;
    }
    assert_eq!(cases.0, std::fs::read_to_string(&path)?);
    Ok(())
}
