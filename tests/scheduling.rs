//! In which order calls run, how long they may, and what a panic takes with it.

use chatluna_tool::{
    AllowAll, Answer, ApprovalRequest, Approver, ArgumentError, Arguments, BoxFuture, BuildError,
    CallContext, Effect, ErrorKind, Json, Permission, PermissionPolicy, PreparedCall, Rule,
    Runtime, Session, SessionInfo, Tool, ToolCall, ToolDefinition, ToolError, ToolOutput,
    ToolResult, Traits, tool,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// What happened, in order.
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn add(&self, line: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Waits beside others
#[tool(traits(parallel, effect = "read", timeout = 1_000, background = false))]
async fn beside(label: String, ms: u64, log: &Log) -> String {
    log.add(format!("+{label}"));
    sleep(Duration::from_millis(ms)).await;
    log.add(format!("-{label}"));
    label
}

/// Waits alone
#[tool(traits(effect = "write", timeout = 1_000, background = false))]
async fn alone(label: String, ms: u64, log: &Log) -> String {
    beside(label, ms, log).await
}

/// Waits without a timeout of its own
#[tool(traits(effect = "read", background = false))]
async fn patient(ms: u64) {
    sleep(Duration::from_millis(ms)).await;
}

/// Asks, then works
#[tool(traits(parallel, effect = "read", timeout = 100, background = false))]
async fn asks_then_works(ms: u64, call: &CallContext) -> Result<(), chatluna_tool::ToolError> {
    call.ask("may I").await?;
    sleep(Duration::from_millis(ms)).await;
    Ok(())
}

/// Panics before its first await
#[tool(traits(parallel, effect = "read"))]
async fn panics_at_once() {
    panic!("at once");
}

/// Panics after an await
#[tool(traits(parallel, effect = "read"))]
async fn panics_later(code: u32) {
    sleep(Duration::from_millis(1)).await;
    panic!("later {code}");
}

/// Panics on a blocking thread
#[tool(traits(parallel, effect = "read"))]
fn panics_blocking() {
    panic!("blocking");
}

/// Panics in its permission hook
#[tool(permission = |_| panic!("hook"), traits(parallel, effect = "read"))]
async fn panics_in_hook() {}

/// Panics when it is looked at
#[tool(visibility = |_| panic!("visibility"), traits(parallel, effect = "read"))]
async fn panics_when_seen() {}

struct Grenade;

impl<'de> Deserialize<'de> for Grenade {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("decode");
    }
}

impl Serialize for Grenade {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("serialize");
    }
}

impl schemars::JsonSchema for Grenade {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Grenade".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        panic!("schema");
    }
}

/// Panics while its arguments are read
#[tool(traits(parallel, effect = "read"))]
async fn panics_in_decode(grenade: Grenade) {
    let _ = grenade;
}

/// Panics while its result is written
#[tool(traits(parallel, effect = "read"))]
async fn panics_in_output() -> Json<Grenade> {
    Json(Grenade)
}

struct DropBomb;

impl Drop for DropBomb {
    fn drop(&mut self) {
        panic!("drop");
    }
}

/// Panics while it is dropped by its timeout
#[tool(traits(parallel, effect = "exec", timeout = 10, background = false))]
async fn panics_in_drop() {
    let _bomb = DropBomb;
    sleep(Duration::from_secs(60)).await;
}

struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Counts itself while it runs
#[tool(traits(parallel, effect = "read"))]
async fn counted(count: &Arc<AtomicUsize>) {
    count.fetch_add(1, Ordering::SeqCst);
    let _running = Running(Arc::clone(count));
    sleep(Duration::from_secs(60)).await;
}

struct Slow;

impl Approver for Slow {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        assert_ne!(request.tool(), Some("beside"), "the approver panics");
        Box::pin(async {
            sleep(Duration::from_secs(3_600)).await;
            Answer::Once
        })
    }
}

struct World {
    session: Session,
    own: Arc<Own>,
    log: Arc<Log>,
    count: Arc<AtomicUsize>,
}

fn world(policy: PermissionPolicy, approver: impl Approver) -> Result<World, BuildError> {
    let log = Arc::new(Log::default());
    let count = Arc::new(AtomicUsize::new(0));
    let own = Arc::<Own>::default();
    let runtime = Runtime::builder()
        .collect()
        .policy(policy)
        .approver(approver)
        .state(Arc::clone(&log))
        .state(Arc::clone(&count))
        .state(Arc::clone(&own))
        .default_timeout(Duration::from_secs(5))
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    Ok(World {
        session,
        own,
        log,
        count,
    })
}

fn open() -> Result<World, BuildError> {
    world(PermissionPolicy::allow_all(), AllowAll)
}

fn wait(name: &str, label: &str, ms: u64) -> ToolCall {
    ToolCall::new(name, json!({"label": label, "ms": ms})).id(label)
}

fn kinds(results: &[ToolResult]) -> Vec<Option<ErrorKind>> {
    results.iter().map(ToolResult::error).collect()
}

#[tokio::test(start_paused = true)]
async fn parallel_neighbours_run_together_and_results_keep_call_order() -> Result<(), BuildError> {
    let world = open()?;
    let started = Instant::now();
    let calls = [
        wait("beside", "a", 300),
        wait("beside", "b", 100),
        wait("beside", "c", 200),
    ];
    let results = world.session.execute(calls).await;
    assert_eq!(started.elapsed().as_millis(), 300);
    let texts: Vec<_> = results
        .iter()
        .map(|result| (result.id(), result.text()))
        .collect();
    assert_eq!(
        texts,
        [("a", "a".into()), ("b", "b".into()), ("c", "c".into())]
    );
    assert_eq!(world.log.lines(), ["+a", "+b", "+c", "-b", "-c", "-a"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_parallel_is_a_barrier() -> Result<(), BuildError> {
    let world = open()?;
    let calls = [
        wait("beside", "a", 50),
        wait("beside", "b", 20),
        wait("alone", "c", 10),
        wait("alone", "d", 10),
        wait("beside", "e", 20),
        ToolCall::new("unknown", "{}"),
        wait("beside", "f", 10),
    ];
    let results = world.session.execute(calls).await;
    assert_eq!(results.len(), 7);
    assert_eq!(
        world.log.lines(),
        [
            "+a", "+b", "-b", "-a", "+c", "-c", "+d", "-d", "+e", "+f", "-f", "-e"
        ]
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn ids_travel_back_verbatim_also_when_they_repeat() -> Result<(), BuildError> {
    let calls = ["x", "", "x", "", "城 \n"].map(|id| wait("beside", "l", 1).id(id));
    let results = open()?.session.execute(calls).await;
    let ids: Vec<_> = results.iter().map(ToolResult::id).collect();
    assert_eq!(ids, ["x", "", "x", "", "城 \n"]);
    assert_eq!(kinds(&results), [None; 5]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn no_calls_are_no_results() -> Result<(), BuildError> {
    assert!(open()?.session.execute([]).await.is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_past_its_timeout_is_dropped() -> Result<(), BuildError> {
    let world = open()?;
    let calls = [
        wait("beside", "a", 999),
        wait("beside", "b", 1_500),
        wait("alone", "c", 1_500),
    ];
    let results = world.session.execute(calls).await;
    assert_eq!(
        kinds(&results),
        [None, Some(ErrorKind::Timeout), Some(ErrorKind::Timeout)]
    );
    assert_eq!(
        results[1].text(),
        "error (timeout): the call took longer than 1s and was stopped; it only reads, so nothing was changed"
    );
    assert!(
        results[2]
            .text()
            .ends_with("its effect may or may not have happened")
    );
    assert!(!world.log.lines().contains(&"-b".to_owned()));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn the_runtime_has_a_default_timeout() -> Result<(), BuildError> {
    let session = open()?.session;
    assert_eq!(
        session.call("patient", json!({"ms": 4_999})).await.error(),
        None
    );
    let late = session.call("patient", json!({"ms": 5_001})).await;
    assert_eq!(late.error(), Some(ErrorKind::Timeout));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_person_does_not_count() -> Result<(), BuildError> {
    let session = world(PermissionPolicy::allow_all(), Slow)?.session;
    assert_eq!(
        session
            .call("asks_then_works", json!({"ms": 90}))
            .await
            .error(),
        None
    );
    let late = session.call("asks_then_works", json!({"ms": 110})).await;
    assert_eq!(late.error(), Some(ErrorKind::Timeout));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_the_error_of_its_call_alone() -> Result<(), BuildError> {
    let world = open()?;
    let mut calls: Vec<ToolCall> = [
        "panics_at_once",
        "panics_blocking",
        "panics_in_hook",
        "panics_in_output",
    ]
    .map(|name| ToolCall::new(name, "{}"))
    .into();
    calls.push(ToolCall::new("panics_later", json!({"code": 7})));
    calls.push(ToolCall::new("panics_in_decode", json!({"grenade": 1})));
    calls.push(ToolCall::new("panics_in_drop", "{}"));
    calls.push(ToolCall::new("panics_when_seen", "{}"));
    calls.push(wait("beside", "sibling", 10));
    let results = world.session.execute(calls).await;
    let panicked = Some(ErrorKind::Panicked);
    let mut expected = vec![panicked; 6];
    expected.extend([Some(ErrorKind::Timeout), Some(ErrorKind::UnknownTool), None]);
    assert_eq!(kinds(&results), expected, "{results:?}");
    assert_eq!(
        results[0].text(),
        "error (panicked): the tool panicked: at once"
    );
    assert_eq!(
        results[1].text(),
        "error (panicked): the tool panicked: blocking"
    );
    assert_eq!(
        results[2].text(),
        "error (panicked): the permission hook panicked: hook"
    );
    assert_eq!(
        results[4].text(),
        "error (panicked): the tool panicked: later 7"
    );
    Ok(())
}

#[test]
fn a_schema_that_panics_leaves_the_others_alone() -> Result<(), BuildError> {
    let definitions = open()?.session.definitions();
    let schemas = definitions
        .iter()
        .filter(|tool| tool.parameters()["type"] == "object");
    assert_eq!(schemas.count(), definitions.len());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_approver_that_panics_refuses() -> Result<(), BuildError> {
    let policy = PermissionPolicy::allow_all().ask("tool:beside");
    let session = world(policy, Slow)?.session;
    let results = session
        .execute([wait("beside", "a", 1), wait("alone", "b", 1)])
        .await;
    assert_eq!(kinds(&results), [Some(ErrorKind::Panicked), None]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn dropping_the_step_drops_what_runs_in_it() -> Result<(), BuildError> {
    let world = open()?;
    for calls in [1, 3] {
        let calls = vec![ToolCall::new("counted", "{}"); calls];
        let expected = calls.len();
        let step = world.session.execute(calls);
        let ended = tokio::time::timeout(Duration::from_millis(10), async {
            tokio::pin!(step);
            tokio::select! {
                _ = &mut step => {}
                () = sleep(Duration::from_millis(5)) => {
                    assert_eq!(world.count.load(Ordering::SeqCst), expected);
                    std::future::pending::<()>().await;
                }
            }
        });
        assert!(ended.await.is_err());
        tokio::task::yield_now().await;
        sleep(Duration::from_millis(1)).await;
        assert_eq!(world.count.load(Ordering::SeqCst), 0);
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn elapsed_is_the_time_a_call_ran() -> Result<(), BuildError> {
    let session = open()?.session;
    let refused = session.call("unknown", "{}").await;
    assert_eq!(refused.elapsed(), Duration::ZERO);
    assert!(session.call("panics_blocking", "{}").await.elapsed() > Duration::ZERO);
    Ok(())
}

#[test]
fn a_hook_is_a_plain_function_of_the_arguments() {
    assert_eq!(Permission::new("a:b").target("c").targets(), ["c"]);
}

/// Never waits for anything but tokio's budget
#[tool(traits(effect = "read", timeout = 50, background = false))]
async fn greedy() {
    let started = std::time::Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        tokio::task::coop::consume_budget().await;
    }
}

#[tokio::test]
async fn a_call_that_spends_its_budget_times_out_too() -> Result<(), BuildError> {
    let result = open()?.session.call("greedy", "{}").await;
    assert_eq!(result.error(), Some(ErrorKind::Timeout));
    assert!(result.elapsed() < Duration::from_secs(10), "{result:?}");
    Ok(())
}

/// Blocks a thread
#[tool(traits(parallel, effect = "read", timeout = 50, background = false))]
fn blocks(count: &Arc<AtomicUsize>) {
    count.fetch_add(1, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(300));
}

#[test]
fn a_function_that_has_not_begun_does_not_run_after_its_timeout()
-> Result<(), Box<dyn std::error::Error>> {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .enable_all()
        .build()?;
    let world = open()?;
    let calls = vec![ToolCall::new("blocks", "{}"); 3];
    let results = tokio.block_on(world.session.execute(calls));
    assert_eq!(kinds(&results), [Some(ErrorKind::Timeout); 3]);
    let texts = results
        .iter()
        .map(|result| result.text().contains("its thread runs to its end"));
    assert_eq!(texts.filter(|runs| *runs).count(), 1, "{results:?}");
    drop(tokio); // waits for the thread
    assert_eq!(world.count.load(Ordering::SeqCst), 1);
    Ok(())
}

/// The session of this program, for a tool that calls a tool.
#[derive(Default)]
struct Own(std::sync::OnceLock<Session>);

/// Waits for a call that waits for a person
#[tool(traits(effect = "read", timeout = 100, background = false))]
async fn asks_inside(own: &Arc<Own>) -> Result<String, chatluna_tool::ToolError> {
    let session = own.0.get().ok_or("no session")?;
    session.authorize(Permission::new("host:thing")).await?;
    Ok(session
        .call("asks_then_works", json!({"ms": 1}))
        .await
        .text()
        .into_owned())
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_person_inside_does_not_count_outside() -> Result<(), BuildError> {
    let world = world(PermissionPolicy::new(), Slow)?;
    let _ = world.own.0.set(world.session.clone());
    let result = world.session.call("asks_inside", "{}").await;
    assert_eq!(result.text(), "done");
    Ok(())
}

struct Bomb(chatluna_tool::ToolDefinition);
struct BombCall(DropBomb);

impl chatluna_tool::Tool for Bomb {
    fn definition(&self) -> &chatluna_tool::ToolDefinition {
        &self.0
    }

    fn prepare(
        self: Arc<Self>,
        _: &chatluna_tool::Arguments,
    ) -> Result<Box<dyn chatluna_tool::PreparedCall>, chatluna_tool::ArgumentError> {
        Ok(Box::new(BombCall(DropBomb)))
    }
}

impl chatluna_tool::PreparedCall for BombCall {
    fn run(
        self: Box<Self>,
        _: CallContext,
    ) -> BoxFuture<'static, Result<chatluna_tool::ToolOutput, chatluna_tool::ToolError>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_refused_call_that_panics_in_its_drop_takes_nothing_along() -> Result<(), BuildError> {
    let bomb = || {
        Bomb(chatluna_tool::ToolDefinition::new(
            "bomb",
            "Panics when it is dropped",
        ))
    };
    let runtime = |policy: PermissionPolicy| Runtime::builder().tool(bomb()).policy(policy).build();
    for (policy, kind) in [
        (PermissionPolicy::new(), ErrorKind::NoApprover),
        (
            PermissionPolicy::new().rule(Rule::deny("tool:bomb").target("")),
            ErrorKind::DeniedByPolicy,
        ),
    ] {
        let session = runtime(policy)?.session(SessionInfo::new("s"));
        for calls in [1, 2] {
            let results = session
                .execute(vec![ToolCall::new("bomb", "{}"); calls])
                .await;
            assert_eq!(kinds(&results), vec![Some(kind); calls]);
        }
    }
    Ok(())
}

/// A tool whose calls have the key that they are given. It waits for `meet`, if it is told to.
struct Keyed {
    definition: ToolDefinition,
    log: Arc<Log>,
    meet: Arc<tokio::sync::Barrier>,
}

#[derive(Deserialize)]
struct KeyedArguments {
    label: String,
    key: Option<String>,
    meets: bool,
}

struct KeyedCall(Arc<Keyed>, KeyedArguments);

impl Tool for Keyed {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn prepare(
        self: Arc<Self>,
        arguments: &Arguments,
    ) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        let arguments = arguments.decode()?;
        Ok(Box::new(KeyedCall(self, arguments)))
    }
}

impl PreparedCall for KeyedCall {
    fn key(&self) -> Option<String> {
        assert_ne!(self.1.label, "bomb", "key");
        self.1.key.clone()
    }

    fn run(self: Box<Self>, _: CallContext) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let Self(tool, KeyedArguments { label, meets, .. }) = *self;
        Box::pin(async move {
            tool.log.add(format!("+{label}"));
            if meets {
                tool.meet.wait().await;
            }
            tool.log.add(format!("-{label}"));
            Ok(ToolOutput::text(label))
        })
    }
}

/// Two keyed tools, `left` and `right`, at whose meeting so many calls wait for each other.
fn keyed(meeting: usize) -> Result<(Session, Arc<Log>), BuildError> {
    let log = Arc::new(Log::default());
    let meet = Arc::new(tokio::sync::Barrier::new(meeting));
    let tool = |name| Keyed {
        definition: ToolDefinition::new(name, "Waits").traits(
            Traits::new()
                .parallel()
                .effect(Effect::Read)
                .timeout(Duration::from_secs(60)),
        ),
        log: log.clone(),
        meet: meet.clone(),
    };
    let runtime = Runtime::builder().tool(tool("left")).tool(tool("right"));
    Ok((runtime.build()?.session(SessionInfo::new("s")), log))
}

fn keyed_call(tool: &str, label: &str, key: Option<&str>, meets: bool) -> ToolCall {
    ToolCall::new(tool, json!({"label": label, "key": key, "meets": meets}))
}

#[tokio::test]
async fn calls_of_one_key_keep_their_order_whatever_their_tools() -> Result<(), BuildError> {
    let (session, log) = keyed(2)?;
    let results = session.execute([
        keyed_call("left", "a1", Some("a"), true),
        keyed_call("right", "a2", Some("a"), false),
        keyed_call("left", "a3", Some("a"), false),
        // It cannot end before a1 does: the two overlap.
        keyed_call("left", "b", Some("b"), true),
    ]);
    let texts: Vec<String> = results
        .await
        .iter()
        .map(|result| result.text().into_owned())
        .collect();
    assert_eq!(texts, ["a1", "a2", "a3", "b"]);
    let lines = log.lines();
    let of_a: Vec<&String> = lines.iter().filter(|line| line.contains('a')).collect();
    assert_eq!(of_a, ["+a1", "-a1", "+a2", "-a2", "+a3", "-a3"]);
    Ok(())
}

#[tokio::test]
async fn calls_without_a_key_overlap_with_all() -> Result<(), BuildError> {
    let (session, _) = keyed(4)?;
    let results = session.execute([
        keyed_call("left", "none", None, true),
        keyed_call("left", "none too", None, true),
        keyed_call("left", "a", Some("a"), true),
        keyed_call("right", "b", Some("b"), true),
    ]);
    // All four meet, or none ends.
    assert!(results.await.iter().all(|result| result.error().is_none()));
    Ok(())
}

#[tokio::test]
async fn a_key_that_panics_fails_its_call_alone() -> Result<(), BuildError> {
    let (session, _) = keyed(1)?;
    let results = session
        .execute([
            keyed_call("left", "bomb", Some("a"), false),
            keyed_call("left", "fine", Some("a"), false),
        ])
        .await;
    assert_eq!(results[0].error(), Some(ErrorKind::Panicked));
    assert!(results[0].text().contains("the key panicked"));
    assert_eq!(results[1].text(), "fine");
    Ok(())
}

/// Becomes a task, and then makes a call
#[tool(traits(effect = "read", timeout = 10))]
async fn calls_late(own: &Arc<Own>) -> Result<String, chatluna_tool::ToolError> {
    sleep(Duration::from_millis(50)).await;
    let session = own.0.get().ok_or("no session")?;
    let call = wait("alone", "inside", 50);
    Ok(session.execute([call]).await[0].text().into_owned())
}

#[tokio::test(start_paused = true)]
async fn what_a_task_calls_takes_its_turn() -> Result<(), BuildError> {
    let world = open()?;
    let _ = world.own.0.set(world.session.clone());
    let task = world.session.call("calls_late", "{}").await;
    let Some(task) = task.task().cloned() else {
        panic!("no task: {task:?}");
    };
    // It holds the session from before the task calls until after that.
    let outside = world.session.execute([wait("alone", "outside", 100)]);
    outside.await;
    world.session.background().wait(&task).await;
    let lines = world.log.lines();
    let ends: Vec<_> = lines
        .iter()
        .filter(|line| line.contains("inside"))
        .collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(ends, lines[2..].iter().collect::<Vec<_>>(), "{lines:?}");
    Ok(())
}
