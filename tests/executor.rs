//! What a runtime relies on in an executor, checked of the one that programs have and of another
//! that is made with the public interface alone.

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, BoxFuture, BuildError, CallContext, ErrorKind, Event,
    EventKind, Executed, Executor, LocalExecutor, PermissionPolicy, ReadyCall, Runtime,
    RuntimeBuilder, Session, SessionInfo, TaskId, TaskStatus, ToolCall, ToolResult, tool,
};
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{Instant, sleep, timeout};

#[cfg(feature = "store")]
#[path = "folder.rs"]
mod folder;

/// How long a task may go on here.
const LIMIT: Duration = Duration::from_secs(30);

/// How long a person takes to answer.
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Calls begun, and calls that run.
#[derive(Default)]
struct Counts {
    begun: AtomicUsize,
    live: AtomicUsize,
}

struct Live<'counts>(&'counts Counts);

impl<'counts> Live<'counts> {
    fn new(counts: &'counts Counts) -> Self {
        counts.begun.fetch_add(1, Ordering::SeqCst);
        counts.live.fetch_add(1, Ordering::SeqCst);
        Self(counts)
    }
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        self.0.live.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Works for a while
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn work(ms: u64, counts: &Arc<Counts>) -> u64 {
    let _live = Live::new(counts);
    sleep(Duration::from_millis(ms)).await;
    ms
}

/// Works until it is told to stop
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn work_until_told(call: &CallContext, counts: &Arc<Counts>) -> &'static str {
    let _live = Live::new(counts);
    call.cancelled().await;
    "told"
}

/// Works and may not go on in the background
#[tool(traits(parallel, effect = "read", timeout = 10, background = false))]
async fn work_in_the_step(ms: u64, counts: &Arc<Counts>) -> u64 {
    work(ms, counts).await
}

/// Panics after a while
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn panics(ms: u64, counts: &Arc<Counts>) {
    let _live = Live::new(counts);
    sleep(Duration::from_millis(ms)).await;
    panic!("after {ms}");
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// Panics when it is dropped
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn panics_in_drop(counts: &Arc<Counts>) {
    let _live = Live::new(counts);
    let _bomb = Bomb;
    std::future::pending::<()>().await;
}

/// Works, asks, and works again
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn asks(
    before: u64,
    after: u64,
    call: &CallContext,
    counts: &Arc<Counts>,
) -> Result<(), chatluna_tool::ToolError> {
    let _live = Live::new(counts);
    sleep(Duration::from_millis(before)).await;
    call.ask("may I").await?;
    sleep(Duration::from_millis(after)).await;
    Ok(())
}

struct Slow;

impl Approver for Slow {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async {
            sleep(HOUR).await;
            Answer::Once
        })
    }
}

/// An executor in a runtime, and in the hands of the test.
struct Held<E>(Arc<E>);

impl<E: Executor> Executor for Held<E> {
    fn execute(&self, call: ReadyCall, wait_up_to: Duration) -> BoxFuture<'_, Executed> {
        self.0.execute(call, wait_up_to)
    }

    fn wait<'a>(&'a self, task: &'a TaskId) -> BoxFuture<'a, Option<ToolResult>> {
        self.0.wait(task)
    }

    fn cancel(&self, task: &TaskId) -> bool {
        self.0.cancel(task)
    }

    fn forget(&self, task: &TaskId) {
        self.0.forget(task);
    }
}

struct World<E> {
    executor: Arc<E>,
    session: Session,
    counts: Arc<Counts>,
    /// Where tasks are kept; removed with the world.
    #[cfg(feature = "store")]
    _folder: Option<folder::Folder>,
}

impl<E: Executor> World<E> {
    fn new(executor: E) -> Result<Self, BuildError> {
        let (executor, counts) = (Arc::new(executor), Arc::<Counts>::default());
        let runtime = Self::builder(&executor, &counts).build()?;
        Ok(Self {
            executor,
            session: runtime.session(SessionInfo::new("s")),
            counts,
            #[cfg(feature = "store")]
            _folder: None,
        })
    }

    fn builder(executor: &Arc<E>, counts: &Arc<Counts>) -> RuntimeBuilder {
        Runtime::builder()
            .collect()
            .state(Arc::clone(counts))
            .policy(PermissionPolicy::allow_all())
            .approver(Slow)
            .executor(Held(Arc::clone(executor)))
    }

    #[cfg(feature = "store")]
    fn stored(executor: E) -> Result<Self, BuildError> {
        let (executor, counts) = (Arc::new(executor), Arc::<Counts>::default());
        let folder = folder::Folder::new();
        let builder = Self::builder(&executor, &counts);
        let runtime = builder.data_dir(&folder.0).build()?;
        Ok(Self {
            executor,
            session: runtime.session(SessionInfo::new("s")),
            counts,
            _folder: Some(folder),
        })
    }

    async fn call(&self, name: &str, arguments: serde_json::Value) -> ToolResult {
        let call = ToolCall::new(name, arguments).id("call_1");
        self.session.execute([call]).await.remove(0)
    }

    /// The task that a call becomes.
    async fn task(&self, name: &str, arguments: serde_json::Value) -> TaskId {
        let result = self.call(name, arguments).await;
        assert_eq!(result.error(), None, "{result:?}");
        assert!(result.text().contains("in the background"), "{result:?}");
        result.task().cloned().unwrap_or(TaskId::new("none"))
    }

    /// How a task ends, and how long that takes.
    async fn end(&self, task: &TaskId) -> (Option<ToolResult>, Duration) {
        let started = Instant::now();
        let background = self.session.background();
        let Ok(ended) = timeout(2 * HOUR, background.wait(task)).await else {
            panic!("{task} never ends");
        };
        let result = ended.and_then(|task| task.result);
        (result, started.elapsed())
    }

    /// The tools that run, once all that was dropped is gone.
    async fn live(&self) -> usize {
        yield_now().await;
        sleep(Duration::from_millis(1)).await;
        self.counts.live.load(Ordering::SeqCst)
    }
}

fn kind(result: Option<&ToolResult>) -> Option<ErrorKind> {
    result.and_then(ToolResult::error)
}

async fn is_done_within_the_wait<E: Executor>(world: World<E>) {
    let started = Instant::now();
    let result = world.call("work", json!({"ms": 9})).await;
    assert_eq!((result.text(), result.task()), ("9".into(), None));
    assert_eq!(started.elapsed().as_millis(), 9);
    assert_eq!(world.live().await, 0);
}

async fn runs_on_after_the_wait<E: Executor>(world: World<E>) {
    let started = Instant::now();
    let task = world.task("work", json!({"ms": 500})).await;
    assert_eq!(started.elapsed().as_millis(), 10);
    assert_eq!(world.live().await, 1);
    let (result, _) = world.end(&task).await;
    assert_eq!(started.elapsed().as_millis(), 500);
    assert!(result.is_some_and(|result| (result.id(), &*result.text()) == ("call_1", "500")));
    assert_eq!(world.live().await, 0);
    assert_eq!(
        world.counts.begun.load(Ordering::SeqCst),
        1,
        "not begun anew"
    );
}

async fn holds_up_nobody_after_the_wait<E: Executor>(world: World<E>) {
    let calls = ["work", "work", "work_in_the_step"].map(|name| (name, json!({"ms": 500})));
    let calls = calls.map(|(name, arguments)| ToolCall::new(name, arguments));
    let results = world.session.execute(calls).await;
    let kinds: Vec<_> = results.iter().map(ToolResult::error).collect();
    assert_eq!(kinds, [None, None, Some(ErrorKind::Timeout)]);
    assert!(results[0].task().is_some() && results[0].task() != results[1].task());
    assert_eq!((results[2].task(), world.live().await), (None, 2));
}

async fn tells_of_a_task<E: Executor>(world: World<E>) {
    let mut events = world.session.events();
    let task = world.task("work", json!({"ms": 20})).await;
    let _ = world.end(&task).await;
    let mut moved = None;
    loop {
        let Some(Event::Call(event)) = events.next().await else {
            panic!("no end");
        };
        match event.kind {
            EventKind::MovedToBackground(task) => moved = Some(task),
            EventKind::Finished { error, .. } => break assert_eq!(error, None),
            _ => {}
        }
    }
    assert_eq!(moved, Some(task));
}

async fn gives_the_result_to_all_who_wait<E: Executor>(world: World<E>) {
    let task = world.task("work", json!({"ms": 50})).await;
    let all = futures_util::future::join(world.end(&task), world.end(&task)).await;
    let again = world.end(&task).await;
    for (result, _) in [all.0, all.1, again] {
        assert!(result.is_some_and(|result| result.text() == "50"));
    }
}

async fn cancels_a_task_that_listens<E: Executor>(world: World<E>) {
    let task = world.task("work_until_told", json!({})).await;
    assert!(world.executor.cancel(&task));
    let (result, elapsed) = world.end(&task).await;
    assert!(result.is_some_and(|result| result.text() == "told"));
    assert_eq!(elapsed, Duration::ZERO);
    assert!(!world.executor.cancel(&task), "it has ended");
}

async fn cancels_a_task_that_does_not_listen<E: Executor>(world: World<E>) {
    let task = world.task("work", json!({"ms": 20_000})).await;
    assert!(world.executor.cancel(&task));
    assert_eq!(world.live().await, 1, "it has a moment to end");
    let (result, elapsed) = world.end(&task).await;
    assert_eq!(kind(result.as_ref()), Some(ErrorKind::Cancelled));
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
    assert_eq!(world.live().await, 0);
}

async fn is_cancelled_by_its_session<E: Executor>(world: World<E>) {
    let task = world.task("work_until_told", json!({})).await;
    assert_eq!(world.session.cancel("call_1"), 1);
    let (result, _) = world.end(&task).await;
    assert!(result.is_some_and(|result| result.text() == "told"));
    let task = world.task("work", json!({"ms": 20_000})).await;
    assert_eq!(world.session.abort(), 1);
    let (result, _) = world.end(&task).await;
    assert_eq!(kind(result.as_ref()), Some(ErrorKind::Cancelled));
    assert_eq!(world.session.abort(), 0);
}

async fn drops_what_it_forgets<E: Executor>(world: World<E>) {
    let task = world.task("work", json!({"ms": 20_000})).await;
    let wait = world.end(&task);
    let forget = async {
        sleep(Duration::from_millis(5)).await;
        world.executor.forget(&task);
    };
    let ((result, elapsed), ()) = futures_util::future::join(wait, forget).await;
    assert_eq!((result, elapsed.as_millis()), (None, 5));
    assert_eq!(world.live().await, 0);
    assert_eq!(world.executor.wait(&task).await, None);
    let status = world
        .session
        .background()
        .get(&task)
        .map(|task| task.status);
    assert_eq!(status, Some(TaskStatus::Interrupted));
    assert!(!world.executor.cancel(&task));
    assert_eq!(world.session.abort(), 0);
}

async fn is_told_to_forget_what_has_ended<E: Executor>(world: World<E>) {
    let task = world.task("work", json!({"ms": 20})).await;
    assert!(world.end(&task).await.0.is_some());
    yield_now().await;
    assert_eq!(world.executor.wait(&task).await, None);
    assert!(world.end(&task).await.0.is_some(), "the session has it");
}

async fn knows_no_other_task<E: Executor>(world: World<E>) {
    let task = TaskId::new("another's");
    assert_eq!(world.end(&task).await, (None, Duration::ZERO));
    assert!(!world.executor.cancel(&task));
    world.executor.forget(&task);
    let own = world.task("work", json!({"ms": 20})).await;
    assert_ne!(own, task);
    assert!(world.end(&own).await.0.is_some());
}

async fn ends_a_task_past_its_limit<E: Executor>(world: World<E>) {
    let task = world.task("work", json!({"ms": 3_600_000})).await;
    let (result, elapsed) = world.end(&task).await;
    assert_eq!(kind(result.as_ref()), Some(ErrorKind::Timeout));
    assert!(result.is_some_and(|result| result.text().contains("30s")));
    assert_eq!(elapsed, LIMIT);
    assert_eq!(world.live().await, 0);
    assert_eq!(world.session.abort(), 0);
}

async fn drops_a_call_with_its_step<E: Executor>(world: World<E>) {
    for calls in [1, 3] {
        let calls = vec![ToolCall::new("work", json!({"ms": 9})); calls];
        let step = timeout(Duration::from_millis(5), world.session.execute(calls));
        assert!(step.await.is_err());
        assert_eq!(world.live().await, 0);
        assert_eq!(world.session.abort(), 0);
    }
}

async fn keeps_a_task_when_its_step_is_dropped<E: Executor>(world: World<E>) {
    let calls = [
        ToolCall::new("work", json!({"ms": 500})),
        ToolCall::new("asks", json!({"before": 1, "after": 1})),
    ];
    let mut events = world.session.events();
    let step = timeout(Duration::from_millis(50), world.session.execute(calls));
    assert!(step.await.is_err());
    assert_eq!(world.live().await, 1);
    let moved = loop {
        let Some(Event::Call(event)) = events.next().await else {
            panic!("no task");
        };
        if let EventKind::MovedToBackground(task) = event.kind {
            break task;
        }
    };
    let (result, _) = world.end(&moved).await;
    assert!(result.is_some_and(|result| result.text() == "500"));
}

async fn survives_panics<E: Executor>(world: World<E>) {
    let result = world.call("panics", json!({"ms": 1})).await;
    assert_eq!(
        result.text(),
        "error (panicked): the tool panicked: after 1"
    );
    let task = world.task("panics", json!({"ms": 50})).await;
    let (result, _) = world.end(&task).await;
    assert_eq!(kind(result.as_ref()), Some(ErrorKind::Panicked));
    let task = world.task("panics_in_drop", json!({})).await;
    world.executor.cancel(&task);
    let (result, _) = world.end(&task).await;
    assert_eq!(kind(result.as_ref()), Some(ErrorKind::Cancelled));
    let task = world.task("panics_in_drop", json!({})).await;
    world.executor.forget(&task);
    assert_eq!(world.live().await, 0);
    assert_eq!(world.call("work", json!({"ms": 1})).await.text(), "1");
}

async fn does_not_count_the_time_until_an_answer<E: Executor>(world: World<E>) {
    let result = world.call("asks", json!({"before": 5, "after": 4})).await;
    assert_eq!((result.error(), result.task()), (None, None));
    // Nor does the limit of a task.
    let task = world.task("asks", json!({"before": 20, "after": 20})).await;
    let (result, elapsed) = world.end(&task).await;
    assert_eq!(result.map(|result| result.error()), Some(None));
    assert!(elapsed > HOUR, "{elapsed:?}");
}

/// A test a rule, for an executor whose tasks have [`LIMIT`].
macro_rules! contract {
    ($make:expr => $($rule:ident),+ $(,)?) => {
        $(
            #[tokio::test(start_paused = true)]
            async fn $rule() -> Result<(), chatluna_tool::BuildError> {
                super::$rule($make?).await;
                Ok(())
            }
        )+
    };
    ($make:expr) => {
        contract! { $make =>
            is_done_within_the_wait,
            runs_on_after_the_wait,
            holds_up_nobody_after_the_wait,
            tells_of_a_task,
            gives_the_result_to_all_who_wait,
            cancels_a_task_that_listens,
            cancels_a_task_that_does_not_listen,
            is_cancelled_by_its_session,
            drops_what_it_forgets,
            is_told_to_forget_what_has_ended,
            knows_no_other_task,
            ends_a_task_past_its_limit,
            drops_a_call_with_its_step,
            keeps_a_task_when_its_step_is_dropped,
            survives_panics,
            does_not_count_the_time_until_an_answer,
        }
    };
}

mod local {
    contract!(super::World::new(chatluna_tool::LocalExecutor::new(
        super::LIMIT
    )));
}

#[cfg(feature = "store")]
mod local_with_a_store {
    contract!(super::World::stored(chatluna_tool::LocalExecutor::new(
        super::LIMIT
    )));
}

mod spawning {
    contract!(super::World::new(super::Spawning::default()));
}

/// Gives each call a task of tokio from the beginning.
#[derive(Default)]
struct Spawning {
    tasks: Arc<Mutex<HashMap<TaskId, Spawned>>>,
}

struct Spawned {
    cancel: Arc<tokio::sync::Notify>,
    result: watch::Receiver<Option<ToolResult>>,
    running: Abort,
}

/// Ends what nobody holds.
struct Abort(JoinHandle<()>);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Spawning {
    fn lock(&self) -> MutexGuard<'_, HashMap<TaskId, Spawned>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drives a call to its end; says when its step need not wait for it any more.
async fn drive(
    mut call: ReadyCall,
    wait_up_to: Duration,
    cancel: Arc<tokio::sync::Notify>,
    late: oneshot::Sender<()>,
) -> ToolResult {
    if let Some(result) = call.drive(wait_up_to).await {
        return result;
    }
    let _ = late.send(());
    let driven = tokio::select! {
        biased;
        () = cancel.notified() => None,
        driven = call.drive(LIMIT) => Some(driven),
    };
    let driven = match driven {
        Some(driven) => driven,
        None => {
            call.cancel();
            call.drive(LIMIT).await
        }
    };
    driven.unwrap_or_else(|| call.expire(LIMIT))
}

impl Executor for Spawning {
    fn execute(&self, call: ReadyCall, wait_up_to: Duration) -> BoxFuture<'_, Executed> {
        let cancel = Arc::new(tokio::sync::Notify::new());
        let (sender, mut result) = watch::channel(None);
        let task = call.task_id();
        let (late, is_late) = oneshot::channel();
        let driven = drive(call, wait_up_to, Arc::clone(&cancel), late);
        let running = Abort(tokio::spawn(async move {
            sender.send_replace(Some(driven.await));
        }));
        Box::pin(async move {
            if is_late.await.is_err()
                && let Ok(done) = result.wait_for(Option::is_some).await
                && let Some(result) = done.clone()
            {
                return Executed::Done(result);
            }
            let spawned = Spawned {
                cancel,
                result,
                running,
            };
            self.lock().insert(task, spawned);
            Executed::Running
        })
    }

    fn wait<'a>(&'a self, task: &'a TaskId) -> BoxFuture<'a, Option<ToolResult>> {
        let result = self.lock().get(task).map(|task| task.result.clone());
        Box::pin(async move {
            let mut result = result?;
            let ended = result.wait_for(Option::is_some).await.ok()?;
            ended.clone()
        })
    }

    fn cancel(&self, task: &TaskId) -> bool {
        let tasks = self.lock();
        let task = tasks.get(task);
        let running = task.filter(|task| !task.running.0.is_finished());
        running.map(|task| task.cancel.notify_one()).is_some()
    }

    fn forget(&self, task: &TaskId) {
        drop(self.lock().remove(task));
    }
}

/// Does not compile once there are two answers: ids of tasks are unique in one runtime, so no two
/// can have the same executor.
#[test]
fn an_executor_is_of_one_runtime() {
    trait NoClone<Answer> {
        fn is() {}
    }
    struct Any;
    struct Clones;
    impl<T> NoClone<Any> for T {}
    impl<T: Clone> NoClone<Clones> for T {}
    <LocalExecutor as NoClone<_>>::is();
}
