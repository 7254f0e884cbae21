//! Calls that are cancelled, that outlive their step, that are too many, that fail again and again.

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, BoxFuture, BuildError, CallContext, ErrorKind,
    LocalExecutor, PermissionPolicy, Runtime, RuntimeBuilder, Session, SessionInfo, ToolCall,
    ToolError, ToolResult, Traits, TurnInfo, tool, tools,
};
use serde_json::json;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// What the tools of a test have done.
#[derive(Default)]
pub struct Log {
    lines: Mutex<Vec<String>>,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Log {
    fn line(&self, line: impl Into<String>) {
        if let Ok(mut lines) = self.lines.lock() {
            lines.push(line.into());
        }
    }

    fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock();
        lines.map(|lines| lines.clone()).unwrap_or_default()
    }
}

/// Counts itself for as long as it lives.
struct Running<'log>(&'log Log);

impl<'log> Running<'log> {
    fn of(log: &'log Log) -> Self {
        let running = log.running.fetch_add(1, Ordering::SeqCst) + 1;
        log.most.fetch_max(running, Ordering::SeqCst);
        Self(log)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Sleeps
#[tool(traits(parallel, effect = "write", timeout = "1min", background = false))]
async fn nap(label: String, ms: u64, log: &Log) -> String {
    let _running = Running::of(log);
    sleep(Duration::from_millis(ms)).await;
    log.line(&label);
    label
}

/// Sleeps alone
#[tool(traits(effect = "read", timeout = "1min", background = false))]
async fn nap_alone(label: String, ms: u64, log: &Log) -> String {
    sleep(Duration::from_millis(ms)).await;
    log.line(&label);
    label
}

/// Counts until it is told to stop
#[tool(traits(parallel, effect = "read"))]
async fn count(fails: bool, call: &CallContext) -> Result<&'static str, ToolError> {
    call.cancelled().await;
    sleep(Duration::from_millis(500)).await;
    if fails {
        return Err(ToolError::new("stopped half way"));
    }
    Ok("counted to the end")
}

/// Spawns something that ends with the call
#[tool(traits(parallel, effect = "read", timeout = 100, background = false))]
async fn spawns(log: &Arc<Log>, call: &CallContext) {
    let (call, log) = (call.clone(), Arc::clone(log));
    tokio::spawn(async move {
        call.cancelled().await;
        log.line("heard");
    });
    std::future::pending::<()>().await;
}

/// Waits for another tool of its session
#[tool(traits(effect = "read", timeout = "1min", background = false))]
async fn outer(log: &Log, session: &Handle) -> String {
    let session = session.0.lock().map(|session| session.clone());
    let Some(session) = session.ok().flatten() else {
        return "no session".to_owned();
    };
    let result = session.call("count", json!({"fails": true})).await;
    log.line(result.text());
    sleep(Duration::from_secs(60)).await;
    "done".to_owned()
}

/// The session, for tools that call tools.
#[derive(Default)]
pub struct Handle(Mutex<Option<Session>>);

/// Blocks a thread
#[tool(traits(parallel, effect = "exec", timeout = "1min", background = false))]
fn block(ms: u64, call: &CallContext) -> bool {
    let end = std::time::Instant::now() + Duration::from_millis(ms);
    while std::time::Instant::now() < end {
        std::thread::sleep(Duration::from_millis(1));
    }
    call.is_cancelled()
}

/// Goes on when nobody waits
#[tool(traits(parallel, effect = "read", timeout = 100))]
async fn long(ms: u64, log: &Log) -> &'static str {
    let _running = Running::of(log);
    sleep(Duration::from_millis(ms)).await;
    log.line("long ended");
    "long"
}

/// Is waited for
#[tool(traits(effect = "read", timeout = "none"))]
async fn patient() -> &'static str {
    sleep(Duration::from_secs(100 * 24 * 60 * 60)).await;
    "after a hundred days"
}

/// Works on one room at a time
#[tool(traits(parallel, effect = "read", key = room))]
async fn clean(room: u8, label: String, log: &Log) {
    log.line(format!("{label} begins"));
    sleep(Duration::from_millis(50)).await;
    log.line(format!("{label} ends {room}"));
}

/// Fails unless the number is even
#[tool(traits(parallel, effect = "read"))]
async fn even(number: u64, log: &Log) -> Result<u64, ToolError> {
    log.line(format!("even {number}"));
    match number % 2 {
        0 => Ok(number),
        _ => Err(ToolError::new("odd")),
    }
}

/// Never answers.
struct Silent;

impl Approver for Silent {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(std::future::pending())
    }
}

struct World {
    session: Session,
    log: Arc<Log>,
}

fn builder() -> RuntimeBuilder {
    Runtime::builder()
        .tools(tools![
            nap, nap_alone, count, spawns, outer, block, long, patient, clean, even
        ])
        .policy(PermissionPolicy::new().allow("tool:*"))
}

fn world_of(builder: RuntimeBuilder) -> Result<World, BuildError> {
    let (log, handle) = (Arc::new(Log::default()), Arc::new(Handle::default()));
    let builder = builder.state(Arc::clone(&log)).state(Arc::clone(&handle));
    let session = builder.build()?.session(SessionInfo::new("running"));
    if let Ok(mut handle) = handle.0.lock() {
        *handle = Some(session.clone());
    }
    Ok(World { session, log })
}

fn world() -> Result<World, BuildError> {
    world_of(builder())
}

fn naps<const N: usize>(tool: &str, ms: [u64; N]) -> [ToolCall; N] {
    let mut number = 0;
    ms.map(|ms| {
        number += 1;
        let label = format!("{tool} {number}");
        ToolCall::new(tool, json!({"label": label, "ms": ms})).id(number.to_string())
    })
}

fn kinds(results: &[ToolResult]) -> Vec<Option<ErrorKind>> {
    results.iter().map(ToolResult::error).collect()
}

/// Runs the calls, and does something after a while.
async fn meanwhile(
    session: &Session,
    calls: impl IntoIterator<Item = ToolCall>,
    ms: u64,
    act: impl FnOnce(&Session),
) -> Vec<ToolResult> {
    let acting = async {
        sleep(Duration::from_millis(ms)).await;
        act(session);
    };
    let (results, ()) = futures_util::future::join(session.execute(calls), acting).await;
    results
}

#[tokio::test(start_paused = true)]
async fn one_call_is_cancelled_and_the_others_go_on() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    let start = Instant::now();
    let calls = naps("nap", [10_000, 10_000, 10_000]);
    let results = meanwhile(&session, calls, 1_000, |session| {
        assert_eq!(session.cancel("2"), 1);
        assert_eq!(session.cancel("4"), 0);
    })
    .await;
    assert_eq!(kinds(&results), [None, Some(ErrorKind::Cancelled), None]);
    assert_eq!(
        results[1].text(),
        "error (cancelled): the call was cancelled and stopped; its effect may or may not have happened"
    );
    assert_eq!(start.elapsed(), Duration::from_secs(10));
    assert_eq!(log.lines(), ["nap 1", "nap 3"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hears_of_it_ends_in_good_order() -> Result<(), BuildError> {
    let World { session, .. } = world()?;
    let calls = [false, true].map(|fails| ToolCall::new("count", json!({"fails": fails})).id("c"));
    let results = meanwhile(&session, calls, 10, |session| {
        assert_eq!(session.cancel("c"), 2);
    })
    .await;
    assert_eq!(results[0].text(), "counted to the end");
    assert_eq!(results[1].text(), "error (cancelled): stopped half way");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_has_not_begun_is_not_run() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    let start = Instant::now();
    let calls = naps("nap_alone", [1_000, 1_000, 1_000]);
    let results = meanwhile(&session, calls, 500, |session| {
        session.cancel("2");
    })
    .await;
    assert_eq!(kinds(&results), [None, Some(ErrorKind::Cancelled), None]);
    assert_eq!(
        results[1].text(),
        "error (cancelled): the call was cancelled before it began; nothing was run"
    );
    assert_eq!(start.elapsed(), Duration::from_secs(2));
    assert_eq!(log.lines(), ["nap_alone 1", "nap_alone 3"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_in_another_step_or_for_a_person_is_cancelled_too()
-> Result<(), BuildError> {
    let World { session, .. } = world()?;
    let [first] = naps("nap_alone", [60_000]);
    let second = ToolCall::new("nap_alone", json!({"label": "b", "ms": 1})).id("waits");
    let steps = futures_util::future::join(session.execute([first]), session.execute([second]));
    let cancelling = async {
        sleep(Duration::from_millis(10)).await;
        session.cancel("waits");
        sleep(Duration::from_millis(10)).await;
        session.cancel("1");
    };
    let ((first, second), ()) = futures_util::future::join(steps, cancelling).await;
    assert_eq!(kinds(&first), [Some(ErrorKind::Cancelled)]);
    assert_eq!(kinds(&second), [Some(ErrorKind::Cancelled)]);

    let policy = PermissionPolicy::new().ask("tool:nap");
    let asking = builder().policy(policy).approver(Silent);
    let World { session, log } = world_of(asking)?;
    let results = meanwhile(&session, naps("nap", [1]), 10, |session| {
        session.cancel("1");
    })
    .await;
    assert_eq!(kinds(&results), [Some(ErrorKind::Cancelled)]);
    assert!(log.lines().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn abort_answers_every_call_and_the_session_goes_on() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    let mut calls = naps("nap", [10_000, 10_000]).to_vec();
    calls.extend(naps("nap_alone", [10_000]));
    let results = meanwhile(&session, calls, 100, |session| {
        assert_eq!(session.abort(), 3);
    })
    .await;
    assert_eq!(kinds(&results), [Some(ErrorKind::Cancelled); 3]);
    assert_eq!(log.running.load(Ordering::SeqCst), 0);
    let again = session.execute(naps("nap", [1])).await;
    assert_eq!(kinds(&again), [None]);
    Ok(())
}

#[tokio::test]
async fn a_thread_runs_to_its_end() -> Result<(), BuildError> {
    let World { session, .. } = world()?;
    let call = ToolCall::new("block", json!({"ms": 100})).id("b");
    let results = meanwhile(&session, [call.clone()], 20, |session| {
        session.cancel("b");
    })
    .await;
    // It had the time.
    assert_eq!(results[0].text(), "true");
    let session = world()?.session;
    let slow = ToolCall::new("block", json!({"ms": 2_500})).id("b");
    let results = meanwhile(&session, [slow], 20, |session| {
        session.cancel("b");
    })
    .await;
    assert_eq!(
        results[0].text(),
        "error (cancelled): the call was cancelled and given up, its thread runs to its end; \
         its effect may or may not have happened"
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn calls_that_a_tool_makes_are_cancelled_with_it() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    let call = ToolCall::new("outer", json!({})).id("o");
    let results = meanwhile(&session, [call], 10, |session| {
        assert_eq!(session.cancel("o"), 1);
    })
    .await;
    assert_eq!(kinds(&results), [Some(ErrorKind::Cancelled)]);
    assert_eq!(log.lines(), ["error (cancelled): stopped half way"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_spawned_hears_of_its_end() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    let by_timeout = session.call("spawns", json!({})).await;
    assert_eq!(by_timeout.error(), Some(ErrorKind::Timeout));
    sleep(Duration::from_millis(1)).await;
    assert_eq!(log.lines(), ["heard"]);
    let step = session.execute([ToolCall::new("spawns", "{}"), ToolCall::new("spawns", "{}")]);
    let dropped = tokio::time::timeout(Duration::from_millis(10), step).await;
    assert!(dropped.is_err());
    sleep(Duration::from_millis(1)).await;
    assert_eq!(log.lines(), ["heard"; 3]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_past_its_time_goes_on_in_the_background() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    let start = Instant::now();
    let result = session.call("long", json!({"ms": 1_000})).await;
    assert_eq!(start.elapsed(), Duration::from_millis(100));
    assert_eq!(
        result.text(),
        "the call is still running after 100ms and goes on in the background as task_1; you are told \
         when it ends, so do not poll and do not call it again for the same; task_output reads what it \
         has so far, task_cancel ends it"
    );
    assert_eq!(result.error(), None);
    assert_eq!(result.task().map(|task| task.as_str()), Some("task_1"));
    // It holds nobody back.
    let [alone] = naps("nap_alone", [1]);
    assert_eq!(session.execute([alone]).await[0].error(), None);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(log.lines(), ["nap_alone 1", "long ended"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_in_the_background_outlives_its_step_and_not_its_session() -> Result<(), BuildError>
{
    let World { session, log } = world()?;
    let step = [
        ToolCall::new("long", json!({"ms": 60_000})).id("l"),
        ToolCall::new("nap", json!({"label": "n", "ms": 10_000})).id("n"),
    ];
    let dropped = tokio::time::timeout(Duration::from_secs(1), session.execute(step)).await;
    assert!(dropped.is_err());
    sleep(Duration::from_secs(1)).await;
    assert_eq!(
        log.running.load(Ordering::SeqCst),
        1,
        "the step took it along"
    );
    assert_eq!(session.abort(), 1);
    sleep(Duration::from_secs(3)).await;
    assert_eq!(log.running.load(Ordering::SeqCst), 0);
    assert!(log.lines().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_in_the_background_has_a_hard_limit() -> Result<(), BuildError> {
    let limited = LocalExecutor::new(Duration::from_secs(5));
    let World { session, log } = world_of(builder().executor(limited))?;
    let result = session.call("long", json!({"ms": 60_000})).await;
    assert!(result.task().is_some());
    sleep(Duration::from_secs(4)).await;
    assert_eq!(log.running.load(Ordering::SeqCst), 1);
    sleep(Duration::from_secs(2)).await;
    assert_eq!(log.running.load(Ordering::SeqCst), 0);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_timeout_is_waited_for() -> Result<(), BuildError> {
    let World { session, .. } = world()?;
    let definition = session.definition("patient").map(|tool| tool.timeout());
    assert_eq!(definition.ok().flatten(), Some(Traits::NO_TIMEOUT));
    let result = session.call("patient", "{}").await;
    assert_eq!(result.text(), "after a hundred days");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_session_runs_so_many_calls_at_once_in_all_its_steps() -> Result<(), BuildError> {
    let two = NonZeroUsize::MIN.saturating_add(1);
    let World { session, log } = world_of(builder().max_concurrency(two))?;
    let start = Instant::now();
    let steps = futures_util::future::join(
        session.execute(naps("nap", [1_000; 4])),
        session.execute(naps("nap", [1_000; 2])),
    );
    let (one, two) = steps.await;
    assert_eq!(kinds(&one), [None; 4]);
    assert_eq!(kinds(&two), [None; 2]);
    assert_eq!(log.most.load(Ordering::SeqCst), 2);
    assert_eq!(start.elapsed(), Duration::from_secs(3));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn calls_of_one_key_do_not_overlap_in_any_step() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    let call =
        |room: u8, label: &str| ToolCall::new("clean", json!({"room": room, "label": label}));
    let start = Instant::now();
    let steps = futures_util::future::join(
        session.execute([call(1, "a"), call(1, "b")]),
        session.execute([call(1, "c")]),
    );
    steps.await;
    assert_eq!(start.elapsed(), Duration::from_millis(150));
    let lines = log.lines();
    for pair in lines.chunks(2) {
        assert_eq!(
            pair[0].split(' ').next(),
            pair[1].split(' ').next(),
            "{lines:?}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn the_third_failing_call_of_a_turn_is_not_run() -> Result<(), BuildError> {
    let World { session, log } = world()?;
    session.begin_turn(TurnInfo::new("m1"));
    let call = |number: u64| ToolCall::new("even", json!({"number": number}));
    for expected in [
        ErrorKind::Failed,
        ErrorKind::Failed,
        ErrorKind::Repeated,
        ErrorKind::Repeated,
    ] {
        let results = session.execute([call(1), call(2)]).await;
        assert_eq!(kinds(&results), [Some(expected), None]);
    }
    assert_eq!(
        log.lines().iter().filter(|line| *line == "even 1").count(),
        2
    );
    let other = session.execute([call(3)]).await;
    assert_eq!(kinds(&other), [Some(ErrorKind::Failed)]);
    let told = session.execute([call(1)]).await;
    assert_eq!(
        told[0].text(),
        "error (repeated): this very call has failed 2 times in a row and was not run again; \
         change the arguments, or go on without it"
    );
    session.begin_turn(TurnInfo::new("m2"));
    assert_eq!(
        kinds(&session.execute([call(1)]).await),
        [Some(ErrorKind::Failed)]
    );
    Ok(())
}

#[tokio::test]
async fn without_a_turn_each_step_is_one() -> Result<(), BuildError> {
    let World { session, .. } = world()?;
    for _ in 0..4 {
        let result = session.call("even", json!({"number": 1})).await;
        assert_eq!(result.error(), Some(ErrorKind::Failed));
    }
    Ok(())
}
