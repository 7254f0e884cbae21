//! What sessions are, share and keep apart.

use chatluna_tool::{
    BuildError, CallContext, PermissionPolicy, Runtime, Session, SessionInfo, Subject, ToolCall,
    ToolError, TurnInfo, tool,
};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Tells who is calling
#[tool(traits(effect = "read"))]
async fn who(call: &CallContext) -> String {
    let info = call.session();
    let user = info.subject.as_ref().map(|subject| &*subject.user);
    let message = call.turn().map(|turn| &*turn.message_id);
    format!("{} {:?} {user:?} {message:?}", info.id, info.agent)
}

#[derive(Default)]
struct Alone {
    running: AtomicUsize,
    broken: AtomicBool,
}

/// Has to be alone
#[tool(traits(effect = "read"))]
async fn exclusive(alone: &Arc<Alone>) {
    let others = alone.running.fetch_add(100, Ordering::SeqCst);
    sleep(Duration::from_millis(5)).await;
    alone.running.fetch_sub(100, Ordering::SeqCst);
    alone.broken.fetch_or(others != 0, Ordering::SeqCst);
}

/// May run beside others that may
#[tool(traits(parallel, effect = "read"))]
async fn shared(alone: &Arc<Alone>) {
    let others = alone.running.fetch_add(1, Ordering::SeqCst);
    sleep(Duration::from_millis(3)).await;
    alone.running.fetch_sub(1, Ordering::SeqCst);
    alone.broken.fetch_or(others >= 100, Ordering::SeqCst);
}

/// The session of this program, for tools that call tools.
#[derive(Default)]
struct Own(OnceLock<Session>);

/// Calls another tool of its own session
#[tool(traits(effect = "read"))]
async fn nesting(depth: u32, own: &Arc<Own>) -> Result<String, ToolError> {
    let session = own.0.get().ok_or("no session")?;
    let (name, arguments) = match depth {
        0 => ("who", json!({})),
        depth => ("nesting", json!({"depth": depth - 1})),
    };
    let calls = [
        ToolCall::new(name, arguments),
        ToolCall::new("shared", "{}"),
    ];
    Ok(session.execute(calls).await[0].text().into_owned())
}

/// Calls another tool of its own session from a thread that may block
#[tool(traits(effect = "read"))]
fn nesting_blocking(own: &Arc<Own>) -> Result<String, ToolError> {
    let session = own.0.get().ok_or("no session")?;
    let call = session.call("who", "{}");
    Ok(tokio::runtime::Handle::current()
        .block_on(call)
        .text()
        .into_owned())
}

struct World {
    runtime: Runtime,
    alone: Arc<Alone>,
    own: Arc<Own>,
}

fn world() -> Result<World, BuildError> {
    let (alone, own) = (Arc::<Alone>::default(), Arc::<Own>::default());
    let runtime = Runtime::builder()
        .collect()
        .state(Arc::clone(&alone))
        .state(Arc::clone(&own))
        .policy(PermissionPolicy::new())
        .build()?;
    Ok(World {
        runtime,
        alone,
        own,
    })
}

#[tokio::test]
async fn a_tool_sees_who_calls_and_in_which_turn() -> Result<(), BuildError> {
    let runtime = world()?.runtime;
    let info = SessionInfo::new("s")
        .agent("planner")
        .subject(Subject::user("u").group("g"));
    let session = runtime.session(info);
    assert_eq!(
        session.call("who", "{}").await.text(),
        r#"s Some("planner") Some("u") None"#
    );
    session.begin_turn(TurnInfo::new("m1"));
    let another_handle = runtime.session(SessionInfo::new("s"));
    assert_eq!(
        another_handle.call("who", "{}").await.text(),
        r#"s None None Some("m1")"#
    );
    session.begin_turn(TurnInfo::new("m2"));
    assert!(
        another_handle
            .call("who", "{}")
            .await
            .text()
            .ends_with(r#"Some("m2")"#)
    );
    let another_session = runtime.session(SessionInfo::new("t"));
    assert_eq!(
        another_session.call("who", "{}").await.text(),
        "t None None None"
    );
    Ok(())
}

#[test]
fn a_session_is_in_use_as_long_as_a_handle_lives() -> Result<(), BuildError> {
    let runtime = world()?.runtime;
    let session = runtime.session(SessionInfo::new("s"));
    session.begin_turn(TurnInfo::new("m1"));
    drop(session);
    for id in 0..100 {
        runtime.session(SessionInfo::new(format!("{id}")));
    }
    let anew = runtime.session(SessionInfo::new("s"));
    let result = futures_util::FutureExt::now_or_never(anew.call("who", "{}"));
    assert_eq!(
        result.map(|result| result.text().into_owned()).as_deref(),
        Some("s None None None")
    );
    Ok(())
}

#[test]
fn the_worktree_is_where_git_is_or_the_directory() -> std::io::Result<()> {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("worktree");
    let inner = root.join("a/b");
    std::fs::create_dir_all(&inner)?;
    std::fs::create_dir_all(root.join(".git"))?;
    let info = SessionInfo::new("s").directory(&inner);
    assert_eq!(
        (info.directory.as_deref(), info.worktree.as_deref()),
        (Some(&*inner), Some(&*root))
    );
    let given = SessionInfo::new("s").worktree("/w").directory(&inner);
    assert_eq!(given.worktree.as_deref(), Some(std::path::Path::new("/w")));
    let here = SessionInfo::new("s").directory("examples");
    let root = std::env::current_dir()?
        .ancestors()
        .find(|folder| folder.join(".git").exists())
        .map(ToOwned::to_owned);
    assert_eq!(here.worktree, root.or(Some("examples".into())));
    let outside = SessionInfo::new("s").directory("/no-such-folder");
    assert_eq!(outside.worktree, outside.directory);
    Ok(())
}

#[test]
fn handles_can_be_cloned_and_sent_to_threads() {
    fn is<T: Clone + Send + Sync + 'static>() {}
    is::<Runtime>();
    is::<Session>();
    is::<SessionInfo>();
    is::<CallContext>();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_of_one_session_overlap_and_keep_the_barrier() -> Result<(), BuildError> {
    let World { runtime, alone, .. } = world()?;
    let steps = (0..40).map(|index| {
        let session = runtime.session(SessionInfo::new("s"));
        let name = |turn| if turn % 3 == 0 { "exclusive" } else { "shared" };
        let calls = (index..index + 3).map(move |turn| ToolCall::new(name(turn), "{}"));
        let calls: Vec<ToolCall> = calls.collect();
        tokio::spawn(async move { session.execute(calls).await.len() })
    });
    let steps: Vec<_> = steps.collect();
    for step in steps {
        assert_eq!(step.await.ok(), Some(3));
    }
    assert!(!alone.broken.load(Ordering::SeqCst));
    assert_eq!(alone.running.load(Ordering::SeqCst), 0);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_calls_tools_of_its_session_does_not_wait_for_itself() -> Result<(), BuildError>
{
    let World { runtime, own, .. } = world()?;
    let session = runtime.session(SessionInfo::new("s"));
    let _ = own.0.set(session.clone());
    let soon = |call| timeout(Duration::from_secs(10), call);
    let nested = soon(session.call("nesting", json!({"depth": 3}))).await;
    assert_eq!(
        nested
            .ok()
            .map(|result| result.text().into_owned())
            .as_deref(),
        Some("s None None None")
    );
    let blocking = soon(session.call("nesting_blocking", json!({}))).await;
    assert_eq!(
        blocking
            .ok()
            .map(|result| result.text().into_owned())
            .as_deref(),
        Some("s None None None")
    );
    // Through another session and back.
    let other = runtime.session(SessionInfo::new("other"));
    let back = soon(other.call("nesting", json!({"depth": 1}))).await;
    assert!(back.is_ok());
    Ok(())
}
