//! Calls and other work that are tasks from the beginning, and what may come between.

use chatluna_tool::{
    AllowAll, BoxFuture, BuildError, ErrorKind, Event, EventKind, Events, Executed, Executor,
    LocalExecutor, PermissionPolicy, ReadyCall, Runtime, Session, SessionInfo, TaskId, TaskStatus,
    ToolCall, ToolResult, tool, tools,
};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

/// Works for a while
#[tool(traits(parallel, effect = "read"))]
async fn work(ms: u64) -> u64 {
    sleep(Duration::from_millis(ms)).await;
    ms
}

/// Drives a call once the test says so, and is slow to tell that it goes on.
#[derive(Default)]
struct Late {
    go: Arc<Notify>,
    telling: Duration,
    executor: LocalExecutor,
}

impl Executor for Late {
    fn execute(&self, call: ReadyCall, wait_up_to: Duration) -> BoxFuture<'_, Executed> {
        Box::pin(async move {
            self.go.notified().await;
            let executed = self.executor.execute(call, wait_up_to).await;
            sleep(self.telling).await;
            executed
        })
    }

    fn wait<'a>(&'a self, task: &'a TaskId) -> BoxFuture<'a, Option<ToolResult>> {
        self.executor.wait(task)
    }

    fn cancel(&self, task: &TaskId) -> bool {
        self.executor.cancel(task)
    }

    fn forget(&self, task: &TaskId) {
        self.executor.forget(task);
    }
}

fn late(telling: Duration) -> Result<(Session, Arc<Notify>), BuildError> {
    let go = Arc::<Notify>::default();
    let executor = Late {
        go: Arc::clone(&go),
        telling,
        executor: LocalExecutor::default(),
    };
    let builder = Runtime::builder().tools(tools![work]);
    let runtime = builder.executor(executor).build()?;
    Ok((runtime.session(SessionInfo::new("s")), go))
}

fn session() -> Result<Session, BuildError> {
    let runtime = Runtime::builder().tools(tools![work]).build()?;
    Ok(runtime.session(SessionInfo::new("s")))
}

async fn started(session: &Session, ms: u64) -> TaskId {
    let call = ToolCall::new("work", json!({ "ms": ms })).id("own");
    match session.background().start(call).await {
        Ok(task) => task,
        Err(result) => panic!("refused: {result:?}"),
    }
}

/// The events so far, each in a word.
async fn told(events: &mut Events) -> Vec<String> {
    let mut words = Vec::new();
    while let Ok(Some(event)) = timeout(Duration::from_millis(1), events.next()).await {
        let Event::Call(event) = event else { continue };
        words.push(match event.kind {
            EventKind::Judged(_) => "judged".to_owned(),
            EventKind::Started => "started".to_owned(),
            EventKind::MovedToBackground(task) => format!("moved to {task}"),
            EventKind::Finished { error, elapsed } => {
                format!("finished {error:?} after {}", elapsed > Duration::ZERO)
            }
            other => format!("{other:?}"),
        });
    }
    words
}

#[tokio::test(start_paused = true)]
async fn a_start_that_is_dropped_leaves_nothing_at_work() -> Result<(), BuildError> {
    let (session, _) = late(Duration::ZERO)?;
    let background = session.background();
    let start = timeout(Duration::from_millis(5), started(&session, 10));
    assert!(start.await.is_err());
    let adopt = background.adopt("host", |_| std::future::pending::<()>());
    assert!(timeout(Duration::from_millis(5), adopt).await.is_err());
    let tasks = background.list();
    let statuses: Vec<_> = tasks.iter().map(|task| task.status).collect();
    assert_eq!(statuses, [TaskStatus::Interrupted; 2]);
    assert_eq!(session.abort(), 0, "nothing runs");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn the_notice_of_an_interrupted_task_is_acknowledged_by_reading() -> Result<(), BuildError> {
    let (session, _) = late(Duration::ZERO)?;
    for _ in 0..2 {
        let start = timeout(Duration::from_millis(5), started(&session, 10));
        assert!(start.await.is_err());
    }
    assert_eq!(session.notices().drain().len(), 2);
    let consumed = session.background().consume(&"task_1".into()).await;
    assert_eq!(consumed, None, "there is no result");
    assert_eq!(session.notices().drain().len(), 1);
    let read = session.call("task_output", json!({"task": "task_2"}));
    assert!(timeout(Duration::from_secs(1), read).await.is_ok());
    assert!(session.notices().drain().is_empty());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_task_can_be_cancelled_before_its_executor_has_it() -> Result<(), BuildError> {
    let (session, go) = late(Duration::ZERO)?;
    let own = session.clone();
    let starting = tokio::spawn(async move { started(&own, 60_000).await });
    yield_now().await;
    let task = TaskId::new("task_1");
    assert!(session.background().cancel(&task));
    go.notify_one();
    let ended = timeout(Duration::from_secs(5), session.background().wait(&task)).await;
    let status = ended.ok().flatten().map(|task| task.status);
    assert_eq!(status, Some(TaskStatus::Cancelled));
    assert!(session.notices().drain().is_empty());
    assert_eq!(starting.await.ok(), Some(task));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_started_call_is_told_of_like_any_other() -> Result<(), BuildError> {
    let session = session()?;
    let mut events = session.events();
    let task = started(&session, 0).await;
    session.background().wait(&task).await;
    let background = session.background();
    let adopted = background.adopt("host", |_| sleep(Duration::from_millis(5)));
    let adopted = background.wait(&adopted.await).await;
    assert_eq!(
        told(&mut events).await,
        [
            "judged",
            "moved to task_1",
            "started",
            "finished None after true",
            "moved to task_2",
            "started",
            "finished None after true",
        ]
    );
    let elapsed = adopted
        .and_then(|task| task.result)
        .map(|result| result.elapsed());
    assert!(elapsed.is_some_and(|elapsed| elapsed > Duration::ZERO));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_approval_that_is_too_old_starts_nothing() -> Result<(), BuildError> {
    let runtime = Runtime::builder()
        .tools(tools![work])
        .policy(PermissionPolicy::new().ask("tool:work"))
        .approver(AllowAll)
        .approval_timeout(Duration::ZERO)
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let step = session.call("work", json!({"ms": 1})).await;
    assert_eq!(step.error(), Some(ErrorKind::Expired));
    let task = started(&session, 1).await;
    let ended = session.background().wait(&task).await;
    let result = ended.and_then(|task| task.result);
    assert_eq!(result.and_then(|result| result.error()), step.error());
    Ok(())
}

/// Goes on for a moment
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn overruns() {
    sleep(Duration::from_millis(20)).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_is_told_to_go_on_before_it_is_told_to_end() -> Result<(), BuildError> {
    let go = Arc::<Notify>::default();
    let executor = Late {
        go: Arc::clone(&go),
        telling: Duration::from_secs(1),
        executor: LocalExecutor::default(),
    };
    let builder = Runtime::builder().tools(tools![overruns]);
    let runtime = builder.executor(executor).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let mut events = session.events();
    go.notify_one();
    assert!(session.call("overruns", "{}").await.task().is_some());
    let words = told(&mut events).await;
    let end = ["started", "moved to task_1", "finished None after true"];
    assert_eq!(words[1..], end);
    Ok(())
}
