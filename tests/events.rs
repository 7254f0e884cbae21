//! What happens in a session, told to those who listen.

use chatluna_tool::{
    AllowAll, BuildError, CallContext, Event, EventKind, Events, PermissionPolicy, Runtime,
    Session, SessionInfo, ToolCall, ToolError, tool, tools,
};
use serde_json::json;
use std::time::Duration;

/// Works, and says so
#[tool(traits(parallel, effect = "read", timeout = 100))]
async fn work(ms: u64, call: &CallContext) -> Result<&'static str, ToolError> {
    call.log("begins");
    call.progress(2.0, "more than all");
    call.progress(None, "somewhere");
    call.title("Work of a day");
    call.metadata(json!({"ms": ms}));
    tokio::time::sleep(Duration::from_millis(ms)).await;
    if ms == 13 {
        return Err(ToolError::new("unlucky"));
    }
    Ok("worked")
}

/// Logs in
#[tool]
async fn login(user: &str, #[arg(secret)] password: &str) -> usize {
    user.len() + password.len()
}

fn session() -> Result<Session, BuildError> {
    let policy = PermissionPolicy::new().ask("tool:login");
    let builder = Runtime::builder().tools(tools![work, login]);
    let runtime = builder.policy(policy).approver(AllowAll).build()?;
    Ok(runtime.session(SessionInfo::new("events")))
}

/// The events so far, a line each.
async fn told(events: &mut Events) -> Vec<String> {
    let mut lines = Vec::new();
    while let Ok(Some(event)) = tokio::time::timeout(Duration::from_millis(1), events.next()).await
    {
        lines.push(line(event));
    }
    lines
}

fn line(event: Event) -> String {
    let event = match event {
        Event::Call(event) => event,
        Event::Missed(count) => return format!("missed {count}"),
        other => return format!("{other:?}"),
    };
    let what = match event.kind {
        EventKind::Repaired(repair) => format!("repaired {repair}"),
        EventKind::Asked { reason } => format!("asked {reason}"),
        EventKind::Judged(decision) => format!("judged {decision}"),
        EventKind::Decided { refusal, by } => format!("decided {refusal:?} by {by}"),
        EventKind::Progress { fraction, message } => format!("progress {fraction:?} {message}"),
        EventKind::Log(line) => format!("log {line}"),
        EventKind::MovedToBackground(task) => format!("moved to {task}"),
        EventKind::Finished { error, .. } => format!("finished {error:?}"),
        other => format!("{other:?}").to_lowercase(),
    };
    format!("{} {} {} {what}", event.number, event.id, event.tool)
}

#[tokio::test(start_paused = true)]
async fn a_call_is_followed_from_its_start_to_its_end() -> Result<(), BuildError> {
    let session = session()?;
    let mut events = session.events();
    let call = ToolCall::new("functions.work", r#"{"ms": "13"}"#).id("a");
    let results = session.execute([call]).await;
    assert_eq!(
        told(&mut events).await,
        [
            "1 a work judged allow: the tool only reads",
            "1 a work repaired read the tool's name `functions.work` as `work`",
            "1 a work repaired /ms: read the text \"13\" as 13",
            "1 a work started",
            "1 a work log begins",
            "1 a work progress Some(1.0) more than all",
            "1 a work progress None somewhere",
            "1 a work finished Some(Failed)",
        ]
    );
    assert_eq!(results[0].title(), Some("Work of a day"));
    assert_eq!(results[0].metadata(), Some(&json!({"ms": 13})));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn questions_and_what_goes_on_are_told() -> Result<(), BuildError> {
    let session = session()?;
    let mut events = session.events();
    let login = ToolCall::new("login", r#"{"user": "li", "password": "cod"}"#).id("same");
    let work = ToolCall::new("work", r#"{"ms": 1000}"#).id("same");
    session.execute([login, work]).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let lines = told(&mut events).await;
    assert_eq!(
        lines,
        [
            "1 same login judged ask: the policy says ask `tool:login`",
            "2 same work judged allow: the tool only reads",
            "1 same login asked the policy says ask `tool:login`",
            "1 same login decided None by AllowAll",
            "1 same login started",
            "1 same login finished None",
            "2 same work started",
            "2 same work log begins",
            "2 same work progress Some(1.0) more than all",
            "2 same work progress None somewhere",
            "2 same work moved to task_1",
            "2 same work finished None",
        ]
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_is_slow_is_told_how_much_it_missed() -> Result<(), BuildError> {
    let session = session()?;
    let mut events = session.events();
    for _ in 0..300 {
        session.call("work", r#"{"ms": 0}"#).await;
    }
    drop(session);
    let lines = told(&mut events).await;
    // Six events a call, of which the last 1,024 are kept.
    assert_eq!(lines[0], "missed 776");
    assert_eq!(lines.len(), 1 + 1_024);
    assert!(events.next().await.is_none());
    Ok(())
}
