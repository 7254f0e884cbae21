//! What may come at the worst moment: a result at the deadline, the drop of a step at any await, a
//! thread that is blocked.

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, ArgumentError, Arguments, BoxFuture, BuildError,
    CallContext, Effect, Permission, PermissionPolicy, PreparedCall, Runtime, Session, SessionInfo,
    Tool, ToolCall, ToolDefinition, ToolError, ToolOutput, ToolResult, Traits, tool,
};
use serde_json::json;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, OnceLock, PoisonError, mpsc};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

/// Futures that are ready around their deadline.
const FUTURES: u64 = 20_000;

/// How many of them wait at once.
const TOGETHER: u64 = 100;

/// How long their step waits for them.
const DEADLINE: Duration = Duration::from_millis(2);

/// When it comes on a machine that has nothing else to do, in microseconds.
const AROUND: u64 = 2_750;

/// When whatever has not ended never will.
const NEVER: Duration = Duration::from_secs(60);

/// A thing that comes to be at a time.
type Promise = (Instant, oneshot::Sender<()>);

/// Where promises are kept.
struct Keeper(Mutex<mpsc::Sender<Promise>>);

impl Keeper {
    /// A thread that keeps them, until it is the last.
    fn new() -> Self {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || keep(&receiver));
        Self(Mutex::new(sender))
    }

    fn promise(&self, after: Duration) -> oneshot::Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        let keeper = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Else the receiver says so.
        let _ = keeper.send((Instant::now() + after, sender));
        receiver
    }
}

fn keep(promises: &mpsc::Receiver<Promise>) {
    let mut open: Vec<Promise> = Vec::new();
    loop {
        match promises.recv_timeout(Duration::from_micros(20)) {
            Ok(promise) => open.push(promise),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        open.extend(promises.try_iter());
        let now = Instant::now();
        for (_, sender) in open.extract_if(.., |(time, _)| *time <= now) {
            // Nobody waits for what was dropped.
            let _ = sender.send(());
        }
    }
}

/// Waits for another thread
#[tool(traits(parallel, effect = "read", timeout = 2))]
async fn wait_for_thread(
    number: u64,
    us: u64,
    keeper: &Keeper,
    counts: &Arc<Counts>,
) -> Result<u64, ToolError> {
    let _live = Live::new(counts);
    let promise = keeper.promise(Duration::from_micros(us));
    promise.await.map_err(ToolError::wrap)?;
    Ok(number)
}

/// Waits for tokio's own timer, which fires with that of the deadline
#[tool(traits(parallel, effect = "read", timeout = 2))]
async fn wait_for_timer(number: u64) -> u64 {
    sleep(DEADLINE).await;
    number
}

/// A call whose future is ready around the deadline, which comes after so many microseconds.
fn close_call(number: u64, deadline: u64, rng: &mut fastrand::Rng) -> ToolCall {
    if rng.u32(..4) == 0 {
        return ToolCall::new("wait_for_timer", json!({"number": number}));
    }
    let us = rng.u64(deadline - 1_250..deadline + 1_250);
    ToolCall::new("wait_for_thread", json!({"number": number, "us": us}))
}

/// The value of a call, from its step or from the task that it became.
async fn value(result: &ToolResult, session: &Session) -> Option<String> {
    let Some(task) = result.task() else {
        return Some(result.text().into_owned());
    };
    let background = session.background();
    timeout(NEVER, background.wait(task)).await.ok()??;
    let ended = background.consume(task).await?;
    Some(ended.text().into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_ready_around_the_deadline_is_not_lost() -> Result<(), BuildError> {
    let World { session, .. } = world(100)?;
    let mut rng = fastrand::Rng::with_seed(1);
    let mut moved = 0;
    // Timers count in whole milliseconds, and fire the later the busier the machine is: it is where
    // half of the calls are ready in time.
    let mut deadline = AROUND;
    for first in (0..FUTURES).step_by(TOGETHER as usize) {
        let numbers = first..first + TOGETHER;
        let calls = numbers
            .clone()
            .map(|number| close_call(number, deadline, &mut rng));
        let step = timeout(NEVER, session.execute(calls.collect::<Vec<_>>())).await;
        let Ok(results) = step else {
            panic!("the step from {first} on never ends");
        };
        let late = results
            .iter()
            .filter(|result| result.task().is_some())
            .count();
        moved += late;
        deadline = match late * 2 < results.len() {
            true => deadline + 50,
            false => (deadline - 50).max(1_250),
        };
        for (number, result) in numbers.zip(&results) {
            assert_eq!(value(result, &session).await, Some(number.to_string()));
        }
    }
    assert_eq!(session.abort(), 0);
    // Else nothing was ready around the deadline.
    let both = 1_000..FUTURES as usize - 1_000;
    assert!(both.contains(&moved), "{moved} of {FUTURES} became tasks");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_step_that_is_dropped_around_its_deadline_leaves_nothing() -> Result<(), BuildError> {
    let world = world(100)?;
    let mut rng = fastrand::Rng::with_seed(2);
    for first in (0..FUTURES / 10).step_by(5) {
        let calls = (first..first + 5).map(|number| close_call(number, AROUND, &mut rng));
        let step = world.session.execute(calls.collect::<Vec<_>>());
        let dropped = timeout(Duration::from_micros(rng.u64(1_000..4_000)), step);
        let _ = dropped.await;
    }
    let over = timeout(NEVER, async {
        while world.counts.0.load(Ordering::SeqCst) > 0 {
            sleep(Duration::from_millis(1)).await;
        }
    });
    assert!(over.await.is_ok(), "{:?}", world.counts);
    is_usable(&world, "drops around the deadline").await;
    Ok(())
}

/// The session of this program, for a tool that calls tools.
#[derive(Default)]
struct Own(OnceLock<Session>);

/// The calls that are read or run.
#[derive(Debug, Default)]
struct Counts(AtomicUsize);

struct Live(Arc<Counts>);

impl Live {
    fn new(counts: &Arc<Counts>) -> Self {
        counts.0.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(counts))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Awaits often, beside others
#[tool(traits(parallel, effect = "read"))]
async fn beside(counts: &Arc<Counts>) {
    let _live = Live::new(counts);
    for ms in [0, 1, 0, 2] {
        pause(ms).await;
    }
}

/// Awaits often, alone
#[tool(traits(effect = "read"))]
async fn alone(counts: &Arc<Counts>) {
    beside(counts).await;
}

/// Goes on in the background
#[tool(traits(parallel, effect = "read", timeout = 2))]
async fn goes_on(counts: &Arc<Counts>) {
    beside(counts).await;
    beside(counts).await;
}

/// Asks while it runs
#[tool(traits(parallel, effect = "read"))]
async fn asks_late(call: &CallContext, counts: &Arc<Counts>) -> Result<(), ToolError> {
    let _live = Live::new(counts);
    pause(1).await;
    call.ask("may I").await?;
    pause(1).await;
    Ok(())
}

/// Has the policy ask first
#[tool(permission = |_| Permission::new("races:ask"), traits(parallel, effect = "read"))]
async fn asks_early(counts: &Arc<Counts>) {
    beside(counts).await;
}

/// Calls tools of its own session
#[tool(traits(effect = "read"))]
async fn nests(own: &Arc<Own>, counts: &Arc<Counts>) -> Result<String, ToolError> {
    let _live = Live::new(counts);
    let session = own.0.get().ok_or("no session")?;
    let calls = ["beside", "goes_on", "beside", "alone", "asks_early"];
    let results = session
        .execute(calls.map(|name| ToolCall::new(name, "{}")))
        .await;
    pause(1).await;
    Ok(session.call("asks_late", "{}").await.text().into_owned() + &results[0].text())
}

async fn pause(ms: u64) {
    match ms {
        0 => tokio::task::yield_now().await,
        ms => sleep(Duration::from_millis(ms)).await,
    }
}

/// Calls of one key.
struct Keyed(ToolDefinition, Arc<Counts>);

struct KeyedCall {
    _live: Live,
}

impl Tool for Keyed {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn prepare(self: Arc<Self>, _: &Arguments) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        let _live = Live::new(&self.1);
        Ok(Box::new(KeyedCall { _live }))
    }
}

impl PreparedCall for KeyedCall {
    fn key(&self) -> Option<String> {
        Some("key".to_owned())
    }

    fn run(self: Box<Self>, _: CallContext) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            pause(1).await;
            drop(self);
            Ok(ToolOutput::text("done"))
        })
    }
}

struct Slow;

impl Approver for Slow {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async {
            pause(2).await;
            Answer::Once
        })
    }
}

struct World {
    session: Session,
    begun: Arc<Barrier>,
    counts: Arc<Counts>,
}

fn world(max_concurrency: usize) -> Result<World, BuildError> {
    let (own, counts) = (Arc::<Own>::default(), Arc::<Counts>::default());
    let definition = ToolDefinition::new("keyed", "Has a key")
        .traits(Traits::new().parallel().effect(Effect::Read));
    let mut builder = Runtime::builder()
        .collect()
        .tool(Keyed(definition, Arc::clone(&counts)))
        .state(Keeper::new())
        .state(Arc::clone(&own))
        .state(Arc::clone(&counts))
        .policy(PermissionPolicy::allow_all().ask("races:ask"))
        .approver(Slow);
    if let Some(cap) = NonZeroUsize::new(max_concurrency) {
        builder = builder.max_concurrency(cap);
    }
    let begun = Arc::new(Barrier::new(2));
    let session = builder
        .state(Arc::clone(&begun))
        .build()?
        .session(SessionInfo::new("s"));
    let _ = own.0.set(session.clone());
    Ok(World {
        session,
        counts,
        begun,
    })
}

/// Polls a step so often, then leaves it alone for a while and drops it. Whether it is over.
async fn polled(step: impl Future<Output = Vec<ToolResult>>, times: usize, alone: u64) -> bool {
    let mut step = pin!(step);
    let mut left = times;
    let over = std::future::poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        match step.as_mut().poll(cx) {
            Poll::Ready(_) => Poll::Ready(true),
            Poll::Pending if left == 0 => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    });
    let over = over.await;
    if !over {
        pause(alone).await;
    }
    over
}

/// Nothing is left of a step that was dropped, and others run.
async fn is_usable(world: &World, after: &str) {
    // What went on in the background ends.
    sleep(Duration::from_secs(1)).await;
    let live = world.counts.0.load(Ordering::SeqCst);
    assert_eq!((live, world.session.abort()), (0, 0), "{after}");
    let calls = ["beside", "keyed", "keyed", "beside", "alone", "keyed"];
    let step = world
        .session
        .execute(calls.map(|name| ToolCall::new(name, "{}")));
    let results = timeout(NEVER, step).await.unwrap_or_default();
    let good = results.iter().filter(|result| result.error().is_none());
    assert_eq!(good.count(), calls.len(), "{after}: {results:?}");
}

#[tokio::test(start_paused = true)]
async fn a_step_can_be_dropped_at_every_await() -> Result<(), BuildError> {
    let shapes: [&[&str]; 9] = [
        &["beside"],
        &["alone"],
        &["beside", "beside", "beside", "beside"],
        &["keyed", "keyed", "beside", "keyed"],
        &["alone", "beside", "beside", "alone", "keyed"],
        &["asks_early", "beside", "asks_early", "alone"],
        &["asks_late", "keyed", "asks_late"],
        &["nests", "beside"],
        &["goes_on", "goes_on", "goes_on", "alone", "goes_on"],
    ];
    let world = world(2)?;
    let mut drops = 0;
    for shape in shapes {
        for alone in 0..4 {
            for times in 0.. {
                let calls = shape.iter().map(|name| ToolCall::new(*name, "{}"));
                let calls: Vec<ToolCall> = calls.collect();
                let over = polled(world.session.execute(calls), times, alone).await;
                let after = format!("{shape:?} after {times} polls and {alone} ms");
                is_usable(&world, &after).await;
                if over {
                    break;
                }
                drops += 1;
            }
        }
    }
    assert!(drops > 150, "{drops}");
    Ok(())
}

/// Blocks a thread
#[tool(traits(parallel, effect = "read", timeout = 10_000))]
fn blocks() {
    std::thread::sleep(Duration::from_millis(400));
}

/// Awaits many times, and tells how long that took
#[tool(traits(parallel, effect = "read"))]
async fn quick() -> u64 {
    let started = Instant::now();
    for _ in 0..10 {
        sleep(Duration::from_millis(1)).await;
    }
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// On one thread: a blocking tool on it would stop all else.
#[tokio::test]
async fn a_blocking_tool_does_not_hold_up_its_siblings() -> Result<(), BuildError> {
    let session = world(2)?.session;
    let names = ["blocks", "quick", "quick", "quick"];
    let results = session
        .execute(names.map(|name| ToolCall::new(name, "{}")))
        .await;
    assert_eq!(results[0].error(), None);
    for quick in &results[1..] {
        let ms: Option<u64> = quick.text().parse().ok();
        assert!(ms.is_some_and(|ms| ms < 300), "{quick:?}");
    }
    Ok(())
}

#[tokio::test]
async fn blocking_tools_in_every_place_do_not_hold_up_another_session() -> Result<(), BuildError> {
    let own = world(2)?;
    let other = world(2)?.session;
    let blocking = own.session.execute(vec![ToolCall::new("blocks", "{}"); 4]);
    let quick = async {
        let started = Instant::now();
        let result = other.call("quick", "{}").await;
        (result.error(), started.elapsed())
    };
    let (results, (error, elapsed)) = futures_util::future::join(blocking, quick).await;
    assert!(results.iter().all(|result| result.error().is_none()));
    assert_eq!(error, None);
    assert!(elapsed < Duration::from_millis(300), "{elapsed:?}");
    Ok(())
}

/// Works without an await, then waits
#[tool(traits(effect = "read", timeout = 2_000, background = false))]
async fn works_before_it_waits(begun: &Arc<Barrier>, call: &CallContext) -> &'static str {
    begun.wait();
    begun.wait();
    call.cancelled().await;
    "told"
}

/// A call is told to end on one thread while it is first polled on another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_hears_of_a_cancel_during_its_first_poll() -> Result<(), BuildError> {
    let World { session, begun, .. } = world(2)?;
    for by_id in [true, false] {
        let step = session.clone();
        let call = ToolCall::new("works_before_it_waits", "{}").id("call_1");
        let step = tokio::spawn(async move { step.execute([call]).await });
        begun.wait();
        let count = match by_id {
            true => session.cancel("call_1"),
            false => session.abort(),
        };
        begun.wait();
        let results = step.await.unwrap_or_default();
        assert_eq!((count, &*results[0].text()), (1, "told"));
    }
    Ok(())
}
