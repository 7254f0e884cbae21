//! Calls that go on in the background: what a program, a model and another session know of them.

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, Background, BoxFuture, BuildError, CallContext, ErrorKind,
    Event, EventKind, LocalExecutor, PermissionPolicy, Runtime, Session, SessionInfo, Task, TaskId,
    TaskStatus, ToolCall, ToolError, ToolResult, TurnInfo, tool,
};
use futures_util::StreamExt;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, timeout};

const LIMIT: Duration = Duration::from_secs(30);
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

#[derive(Default)]
struct Begun(AtomicUsize);

/// Renders a film
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn render(ms: u64, call: &CallContext, begun: &Arc<Begun>) -> String {
    begun.0.fetch_add(1, Ordering::SeqCst);
    call.log("opened");
    call.progress(0.4, "half way");
    sleep(Duration::from_millis(ms)).await;
    call.log("closed");
    format!("rendered in {ms}")
}

/// Fails after a while
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn fails(ms: u64) -> Result<(), ToolError> {
    sleep(Duration::from_millis(ms)).await;
    Err(ToolError::new("no film"))
}

/// Asks after a while
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn asks_late(call: &CallContext) -> Result<&'static str, ToolError> {
    sleep(Duration::from_millis(20)).await;
    call.ask("may I").await?;
    Ok("allowed")
}

/// Blocks its thread for a while
#[tool(traits(parallel, effect = "read", timeout = 10))]
fn blocks(ms: u64) -> u64 {
    std::thread::sleep(Duration::from_millis(ms));
    ms
}

/// Deletes
#[tool(traits(effect = "exec"))]
async fn delete() {}

/// Answers when the test says so.
#[derive(Clone, Default)]
struct Person(Arc<Notify>);

impl Approver for Person {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async {
            self.0.notified().await;
            Answer::Once
        })
    }
}

struct World {
    runtime: Runtime,
    session: Session,
    person: Person,
    begun: Arc<Begun>,
}

impl World {
    fn new() -> Result<Self, BuildError> {
        let (person, begun) = (Person::default(), Arc::<Begun>::default());
        let runtime = Runtime::builder()
            .collect()
            .state(Arc::clone(&begun))
            .policy(PermissionPolicy::new().deny("tool:delete"))
            .approver(person.clone())
            .executor(LocalExecutor::new(LIMIT))
            .build()?;
        let session = runtime.session(SessionInfo::new("s"));
        Ok(Self {
            runtime,
            session,
            person,
            begun,
        })
    }

    fn background(&self) -> Background {
        self.session.background()
    }

    async fn task(&self, name: &str, arguments: Value) -> TaskId {
        task(&self.session, name, arguments).await
    }

    async fn ended(&self, task: &TaskId) -> Task {
        let ended = timeout(2 * LIMIT, self.background().wait(task)).await;
        let Ok(Some(ended)) = ended else {
            panic!("{task} has no end");
        };
        ended
    }

    /// What the model reads of a call of a tool that the runtime brings.
    async fn reads(&self, name: &str, arguments: Value) -> String {
        self.session.call(name, arguments).await.text().into_owned()
    }

    fn names(&self) -> Vec<String> {
        let tools = self.session.definitions();
        tools.iter().map(|tool| tool.name().to_owned()).collect()
    }

    fn offered(&self) -> Vec<String> {
        let notices = self.session.notices().drain();
        notices.into_iter().map(|notice| notice.id).collect()
    }
}

async fn task(session: &Session, name: &str, arguments: Value) -> TaskId {
    let call = ToolCall::new(name, arguments).id("call_1");
    let result = session.execute([call]).await.remove(0);
    let Some(task) = result.task() else {
        panic!("no task: {result:?}");
    };
    task.clone()
}

fn text(result: Option<&ToolResult>) -> Option<String> {
    result.map(|result| result.text().into_owned())
}

#[tokio::test(start_paused = true)]
async fn a_model_is_told_what_becomes_of_a_call_that_goes_on() -> Result<(), BuildError> {
    let world = World::new()?;
    let result = world.session.call("render", json!({"ms": 50})).await;
    assert_eq!(
        result.text(),
        "the call is still running after 10ms and goes on in the background as task_1; you are told \
         when it ends, so do not poll and do not call it again for the same; task_output reads what \
         it has so far, task_cancel ends it"
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_is_the_same_future() -> Result<(), BuildError> {
    let world = World::new()?;
    let started = Instant::now();
    let task = world.task("render", json!({"ms": 50})).await;
    let running = world.background().get(&task);
    let Some(running) = running else {
        panic!("unknown");
    };
    assert_eq!(running.status, TaskStatus::Working);
    assert_eq!((&*running.call_id, &*running.name), ("call_1", "render"));
    assert_eq!(running.log, ["opened"]);
    assert_eq!(
        running
            .progress
            .map(|progress| (progress.fraction, progress.message)),
        Some((Some(0.4), "half way".to_owned()))
    );
    let ended = world.ended(&task).await;
    assert_eq!(started.elapsed().as_millis(), 50);
    assert_eq!(ended.status, TaskStatus::Completed);
    assert_eq!(ended.log, ["opened", "closed"]);
    assert_eq!(
        text(ended.result.as_ref()).as_deref(),
        Some("rendered in 50")
    );
    assert_eq!(world.begun.0.load(Ordering::SeqCst), 1, "never begun anew");
    Ok(())
}

#[tokio::test]
async fn a_tool_that_blocks_its_thread_becomes_a_task() -> Result<(), BuildError> {
    let world = World::new()?;
    let task = world.task("blocks", json!({"ms": 60})).await;
    let ended = world.ended(&task).await;
    assert_eq!(text(ended.result.as_ref()).as_deref(), Some("60"));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_may_ask() -> Result<(), BuildError> {
    let world = World::new()?;
    let task = world.task("asks_late", json!({})).await;
    sleep(Duration::from_millis(100)).await;
    let status = world.background().get(&task).map(|task| task.status);
    assert_eq!(status, Some(TaskStatus::InputRequired));
    assert_eq!(world.session.pending().len(), 1);
    world.person.0.notify_one();
    let ended = world.ended(&task).await;
    assert_eq!(text(ended.result.as_ref()).as_deref(), Some("allowed"));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_notice_is_offered_until_it_is_acknowledged() -> Result<(), BuildError> {
    let world = World::new()?;
    let mut notices = world.session.notices();
    assert!(notices.drain().is_empty());
    let task = world.task("render", json!({"ms": 50})).await;
    assert!(notices.drain().is_empty(), "it runs");
    let notice = notices.next().await;
    assert_eq!((&*notice.id, &notice.task.id), ("notice_of_task_1", &task));
    assert_eq!(
        notice.text(),
        "background task task_1 (render) has completed:\nrendered in 50"
    );
    assert!(notices.drain().is_empty(), "once by one value");
    assert_eq!(world.offered(), ["notice_of_task_1"], "again by another");
    assert!(notices.acknowledge(&notice.id).await);
    assert!(!notices.acknowledge(&notice.id).await, "it is gone");
    assert!(!notices.acknowledge("notice_of_nothing").await);
    assert!(!notices.acknowledge("nonsense").await);
    assert!(world.offered().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn notices_come_in_the_order_of_the_ends() -> Result<(), BuildError> {
    let world = World::new()?;
    let calls = [70, 50, 60].map(|ms| world.task("render", json!({ "ms": ms })));
    join_all(calls).await;
    let ends = world.session.notices().into_stream().take(3);
    let ends: Vec<String> = ends.map(|notice| notice.text()).collect().await;
    let ends: Vec<&str> = ends
        .iter()
        .filter_map(|end| end.rsplit(' ').next())
        .collect();
    assert_eq!(ends, ["50", "60", "70"]);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_told_of() -> Result<(), BuildError> {
    let world = World::new()?;
    let task = world.task("fails", json!({"ms": 50})).await;
    assert_eq!(world.ended(&task).await.status, TaskStatus::Failed);
    let endless = world.task("render", json!({"ms": 3_600_000})).await;
    let ended = world.ended(&endless).await;
    assert_eq!(ended.status, TaskStatus::Failed, "the hard limit");
    let kind = ended.result.and_then(|result| result.error());
    assert_eq!(kind, Some(ErrorKind::Timeout));
    let texts: Vec<_> = world.session.notices().drain();
    let texts: Vec<_> = texts.iter().map(|notice| notice.text()).collect();
    assert_eq!(
        texts[0],
        "background task task_1 (fails) has failed:\nerror (failed): no film"
    );
    assert!(texts[1].contains("task_2 (render) has failed:\nerror (timeout): "));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_told_to_end_is_not_told_of() -> Result<(), BuildError> {
    let world = World::new()?;
    let by_id = world.task("render", json!({"ms": 9_000})).await;
    assert!(world.background().cancel(&by_id));
    assert_eq!(world.ended(&by_id).await.status, TaskStatus::Cancelled);
    assert!(!world.background().cancel(&by_id), "it has ended");
    let by_call = world.task("render", json!({"ms": 9_000})).await;
    assert_eq!(world.session.cancel("call_1"), 1);
    assert_eq!(world.ended(&by_call).await.status, TaskStatus::Cancelled);
    let by_session = world.task("render", json!({"ms": 9_000})).await;
    assert_eq!(world.session.abort(), 1);
    assert_eq!(world.ended(&by_session).await.status, TaskStatus::Cancelled);
    assert!(world.offered().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_outlives_its_step() -> Result<(), BuildError> {
    let world = World::new()?;
    let calls = [
        ToolCall::new("render", json!({"ms": 50})),
        ToolCall::new("asks_late", json!({})),
    ];
    let step = timeout(Duration::from_millis(15), world.session.execute(calls));
    let Ok(results) = step.await else {
        panic!("both have become tasks by then");
    };
    drop(results);
    world.person.0.notify_one();
    for task in world.background().list() {
        assert_eq!(world.ended(&task.id).await.status, TaskStatus::Completed);
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_is_unknown_to_other_sessions() -> Result<(), BuildError> {
    let world = World::new()?;
    let task = world.task("render", json!({"ms": 50})).await;
    let other = world.runtime.session(SessionInfo::new("other"));
    let own = self::task(&other, "render", json!({"ms": 9_000})).await;
    assert_ne!(own, task);
    let background = other.background();
    assert_eq!(background.get(&task), None);
    assert_eq!(background.wait(&task).await, None);
    assert_eq!(background.consume(&task).await, None);
    assert!(!background.cancel(&task));
    let ids: Vec<_> = background.list().into_iter().map(|task| task.id).collect();
    assert_eq!(ids, [own]);
    for tool in ["task_output", "task_cancel"] {
        let answer = other.call(tool, json!({"task": task.as_str()})).await;
        assert_eq!(
            answer.text(),
            "error (retry): no task is named `task_1`; there are: task_2"
        );
    }
    assert_eq!(world.ended(&task).await.status, TaskStatus::Completed);
    let mut notices = other.notices();
    assert!(notices.drain().is_empty());
    assert!(!notices.acknowledge("notice_of_task_1").await);
    assert_eq!(background.prune(Duration::ZERO).await, 0);
    assert_eq!(world.offered(), ["notice_of_task_1"]);
    let handle = world.runtime.session(SessionInfo::new("s"));
    assert!(handle.background().get(&task).is_some(), "the same session");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_session_has_the_tools_for_tasks_once_it_has_one() -> Result<(), BuildError> {
    let world = World::new()?;
    let own = world.names();
    let unknown = world.session.call("task_list", "{}").await;
    assert_eq!(unknown.error(), Some(ErrorKind::UnknownTool));
    let task = world.task("render", json!({"ms": 50})).await;
    let tools = [
        &own[..],
        &["task_cancel", "task_list", "task_output"].map(str::to_owned),
    ];
    assert_eq!(world.names(), tools.concat());
    let other = world.runtime.session(SessionInfo::new("other"));
    assert_eq!(other.definitions().len(), own.len());
    world.ended(&task).await;
    assert_eq!(world.background().prune(Duration::ZERO).await, 1);
    assert_eq!(world.names(), tools.concat(), "what a model knows stays");
    assert_eq!(
        world.reads("task_list", json!({})).await,
        "there are no tasks"
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_rule_can_take_the_tools_for_tasks_away() -> Result<(), BuildError> {
    let runtime = Runtime::builder()
        .collect()
        .state(Arc::<Begun>::default())
        .policy(PermissionPolicy::new().deny("tool:task_cancel"))
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let id = task(&session, "render", json!({"ms": 50})).await;
    let names = session.definitions();
    assert!(names.iter().all(|tool| tool.name() != "task_cancel"));
    let answer = session
        .call("task_cancel", json!({"task": id.as_str()}))
        .await;
    assert_eq!(answer.error(), Some(ErrorKind::UnknownTool));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_model_reads_its_tasks() -> Result<(), BuildError> {
    let world = World::new()?;
    world.task("render", json!({"ms": 9_000})).await;
    world.task("asks_late", json!({})).await;
    sleep(Duration::from_millis(100)).await;
    assert_eq!(
        world.reads("task_list", json!({})).await,
        "task_1 render: working, 0s, 40%, half way\ntask_2 asks_late: input_required, 0s"
    );
    let output = json!({"task": "task_1"});
    assert_eq!(
        world.reads("task_output", output.clone()).await,
        "task_1 render: working, 0s, 40%, half way\nlog:\nopened"
    );
    let started = Instant::now();
    let waits = json!({"task": "task_1", "wait": 600});
    assert_eq!(
        world.reads("task_output", waits).await,
        "task_1 render: completed, 0s\nrendered in 9000"
    );
    assert!(started.elapsed() < Duration::from_secs(9));
    assert_eq!(
        world.reads("task_output", output).await,
        "task_1 render: completed, 0s\nrendered in 9000",
        "it can be read again"
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_model_waits_for_so_long_only() -> Result<(), BuildError> {
    let world = World::new()?;
    world.task("render", json!({"ms": 20_000})).await;
    let started = Instant::now();
    let read = world
        .reads("task_output", json!({"task": "task_1", "wait": 5}))
        .await;
    assert!(read.starts_with("task_1 render: working"), "{read}");
    assert_eq!(started.elapsed().as_secs(), 5);
    for wait in [json!(601), json!(-1), json!("soon")] {
        let read = world
            .session
            .call("task_output", json!({"task": "task_1", "wait": wait}));
        assert_eq!(read.await.error(), Some(ErrorKind::InvalidArguments));
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn what_a_model_has_read_it_is_not_told() -> Result<(), BuildError> {
    let world = World::new()?;
    let task = world.task("render", json!({"ms": 50})).await;
    world.reads("task_output", json!({"task": "task_1"})).await;
    assert!(world.offered().is_empty(), "it runs");
    world.ended(&task).await;
    assert_eq!(world.offered().len(), 1, "what was read was no result");
    world.reads("task_output", json!({"task": "task_1"})).await;
    assert!(world.offered().is_empty());
    let task = world.task("render", json!({"ms": 50})).await;
    assert_eq!(world.background().consume(&task).await, None, "it runs");
    world.ended(&task).await;
    let result = world.background().consume(&task).await;
    assert_eq!(text(result.as_ref()).as_deref(), Some("rendered in 50"));
    assert!(world.offered().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_model_ends_a_task() -> Result<(), BuildError> {
    let world = World::new()?;
    let task = world.task("render", json!({"ms": 9_000})).await;
    let cancel = json!({"task": "task_1"});
    assert_eq!(
        world.reads("task_cancel", cancel.clone()).await,
        "task_1 render: cancelled, 0s"
    );
    assert_eq!(world.ended(&task).await.status, TaskStatus::Cancelled);
    assert_eq!(
        world.reads("task_cancel", cancel).await,
        "it has ended already: task_1 render: cancelled, 0s"
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_can_be_a_task_from_the_beginning() -> Result<(), BuildError> {
    let world = World::new()?;
    let background = world.background();
    let call = ToolCall::new("render", json!({"ms": 5})).id("own");
    let Ok(task) = background.start(call).await else {
        panic!("refused");
    };
    let ended = world.ended(&task).await;
    assert_eq!(
        (ended.status, &*ended.call_id),
        (TaskStatus::Completed, "own")
    );
    assert_eq!(world.offered(), ["notice_of_task_1"]);
    let ready = background
        .start(ToolCall::new("fails", json!({"ms": 0})))
        .await;
    let Ok(task) = ready else {
        panic!("refused");
    };
    assert_eq!(world.ended(&task).await.status, TaskStatus::Failed);
    for (name, kind) in [
        ("delete", ErrorKind::UnknownTool),
        ("rendre", ErrorKind::UnknownTool),
        ("render", ErrorKind::InvalidArguments),
    ] {
        let refused = background.start(ToolCall::new(name, json!({"x": 1}))).await;
        let kinds = refused.err().and_then(|result| result.error());
        assert_eq!(kinds, Some(kind), "{name}");
    }
    Ok(())
}

async fn panics(_: CallContext) {
    panic!("no");
}

#[tokio::test(start_paused = true)]
async fn other_work_can_be_a_task() -> Result<(), BuildError> {
    let world = World::new()?;
    let background = world.background();
    let work = |call: CallContext| async move {
        call.title("Reindexing");
        call.log("begun");
        tokio::select! {
            () = call.cancelled() => "cancelled",
            () = sleep(Duration::from_secs(20)) => "42 files",
        }
    };
    let task = background.adopt("reindex", work).await;
    yield_now().await;
    let running = background.get(&task);
    assert_eq!(
        running.map(|task| (task.name, task.title, task.log)),
        Some((
            "reindex".into(),
            Some("Reindexing".into()),
            vec!["begun".into()]
        ))
    );
    let ended = world.ended(&task).await;
    assert_eq!(text(ended.result.as_ref()).as_deref(), Some("42 files"));
    assert_eq!(ended.title.as_deref(), Some("Reindexing"));
    let task = background.adopt("reindex", work).await;
    assert!(background.cancel(&task));
    let ended = world.ended(&task).await;
    assert_eq!(ended.status, TaskStatus::Cancelled);
    let panics = background.adopt("panics", panics).await;
    let ended = world.ended(&panics).await;
    assert_eq!(
        text(ended.result.as_ref()).as_deref(),
        Some("error (panicked): the tool panicked: no")
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn ended_tasks_are_forgotten_in_time() -> Result<(), BuildError> {
    let world = World::new()?;
    let background = world.background();
    let first = background.adopt("first", |_| async {}).await;
    let untold = background.adopt("untold", |_| async {}).await;
    world.ended(&untold).await;
    background.consume(&first).await;
    for _ in 0..256 {
        let task = background.adopt("more", |_| async {}).await;
        world.ended(&task).await;
        background.consume(&task).await;
    }
    assert!(background.get(&first).is_some());
    let last = background.adopt("last", |_| async {}).await;
    world.ended(&last).await;
    yield_now().await;
    assert_eq!(
        background.get(&first),
        None,
        "256 of those that were told of"
    );
    assert!(background.get(&untold).is_some(), "nobody has been told");
    assert_eq!(background.prune(WEEK).await, 0);
    assert_eq!(background.prune(Duration::ZERO).await, 258);
    assert!(background.list().is_empty() && world.offered().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_is_data() -> Result<(), Box<dyn std::error::Error>> {
    let world = World::new()?;
    let task = world.task("render", json!({"ms": 50})).await;
    let ended = world.ended(&task).await;
    let mut data = serde_json::to_value(&ended)?;
    let back: Task = serde_json::from_value(data.clone())?;
    assert_eq!(back.id, task);
    assert_eq!(
        text(back.result.as_ref()).as_deref(),
        Some("rendered in 50")
    );
    for time in ["started", "ended"] {
        assert!(
            data[time]
                .take()
                .as_str()
                .is_some_and(|time| time.ends_with('Z'))
        );
    }
    data["result"]["elapsed_ms"] = Value::Null;
    assert_eq!(
        data,
        json!({
            "id": "task_1", "call_id": "call_1", "name": "render", "status": "completed",
            "started": null, "ended": null,
            "progress": {"fraction": 0.4, "message": "half way"}, "log": ["opened", "closed"],
            "result": {
                "id": "call_1", "name": "render", "elapsed_ms": null,
                "content": [{"type": "text", "text": "rendered in 50"}],
            },
        })
    );
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn what_a_model_cannot_use_it_is_not_told_of() -> Result<(), BuildError> {
    let told = async |policy: PermissionPolicy| {
        let builder = Runtime::builder().collect().state(Arc::<Begun>::default());
        let session = builder
            .policy(policy)
            .build()?
            .session(SessionInfo::new("s"));
        let answer = session.call("render", json!({"ms": 50})).await;
        let background = session.background();
        let long = background
            .adopt("long", |_| async { "x".repeat(5_000) })
            .await;
        background.wait(&long).await;
        let notice = session.notices().next().await;
        Ok::<_, BuildError>((answer.text().into_owned(), notice.text()))
    };
    let (answer, notice) = told(PermissionPolicy::new().deny("tool:task_cancel")).await?;
    assert!(
        answer.ends_with("for the same; task_output reads what it has so far"),
        "{answer}"
    );
    assert!(notice.ends_with("[cut: 5000 bytes in all; read them with task_output, task task_2]"));
    let (answer, notice) = told(PermissionPolicy::new().deny("tool:task_*")).await?;
    assert!(
        answer.ends_with("do not call it again for the same"),
        "{answer}"
    );
    assert!(notice.ends_with("[cut: 5000 bytes in all]"), "{notice}");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_notice_shows_control_characters_as_signs() -> Result<(), BuildError> {
    let world = World::new()?;
    let work = world
        .background()
        .adopt("a\x07b", |_| async { "\x1b[31mred\n" })
        .await;
    world.ended(&work).await;
    let notice = world.session.notices().next().await;
    let shown = "background task task_1 (a\u{2407}b) has completed:\n\u{241b}[31mred\n";
    assert_eq!((&*notice.text(), &*notice.to_string()), (shown, shown));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn what_a_task_says_has_a_limit() -> Result<(), BuildError> {
    let world = World::new()?;
    let mut events = world.session.events();
    let long = "é".repeat(4_000);
    let said = long.clone();
    let work = async move |call: CallContext| {
        call.log(&*said);
        call.progress(None, said);
    };
    let task = world.background().adopt("talks", work).await;
    let ended = world.ended(&task).await;
    let limited = format!("{}…", &long[..1_000]);
    assert_eq!(ended.log, [&*limited]);
    assert_eq!(
        ended.progress.map(|progress| progress.message).as_ref(),
        Some(&limited)
    );
    let mut heard = 0;
    while let Ok(Some(Event::Call(event))) = timeout(LIMIT, events.next()).await {
        if let EventKind::Log(message) | EventKind::Progress { message, .. } = event.kind {
            assert_eq!(message, limited);
            heard += 1;
        }
    }
    assert_eq!(heard, 2);
    Ok(())
}

/// A runtime of tokio, with a timer or without.
fn tokio(has_timer: bool) -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    if has_timer {
        builder.enable_time();
    }
    builder.build()
}

#[test]
fn a_model_cannot_wait_without_a_timer() -> Result<(), Box<dyn std::error::Error>> {
    let world = World::new()?;
    let timed = tokio(true)?;
    let task = timed.block_on(world.task("render", json!({"ms": 60_000})));
    let wait = json!({"task": task.as_str(), "wait": 1});
    let waited = tokio(false)?.block_on(world.session.call("task_output", wait));
    assert_eq!(waited.error(), Some(ErrorKind::Unavailable), "{waited:?}");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_of_an_earlier_turn_counts_for_nothing_in_a_later_one() -> Result<(), BuildError> {
    let world = World::new()?;
    world.session.begin_turn(TurnInfo::new("m1"));
    let fails = json!({"ms": 50});
    let first = world.task("fails", fails.clone()).await;
    let second = world.task("fails", fails.clone()).await;
    world.session.begin_turn(TurnInfo::new("m2"));
    assert_eq!(world.ended(&first).await.status, TaskStatus::Failed);
    assert_eq!(world.ended(&second).await.status, TaskStatus::Failed);
    let again = world.task("fails", fails.clone()).await;
    world.task("fails", fails.clone()).await;
    world.ended(&again).await;
    sleep(Duration::from_millis(100)).await;
    let refused = world.session.call("fails", fails).await;
    assert_eq!(
        refused.error(),
        Some(ErrorKind::Repeated),
        "those of its own count"
    );
    Ok(())
}
