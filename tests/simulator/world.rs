//! The tools, the approver and the executor of a batch, which write down what happens.

use crate::case::{Case, Fault, Heeds, Limit, Question, Reply};
use crate::plan::{Plan, tool_name};
use chatluna_tool::{
    Answer, ApprovalRequest, Approver, ArgumentError, Arguments, BoxFuture, CallContext, Effect,
    Executed, Executor, LocalExecutor, Permission, PreparedCall, ReadyCall, Session, TaskId, Tool,
    ToolDefinition, ToolError, ToolOutput, ToolResult, Traits,
};
use futures_util::future::{Either, select};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The permission that the policy asks about.
pub const ASK: &str = "simulated:ask";

/// One batch: what is to happen, and what did.
pub struct World {
    pub plan: Plan,
    notes: Mutex<Notes>,
    started: Instant,
    /// The call that was last polled and is not done.
    pending: AtomicUsize,
    session: Mutex<Option<Session>>,
}

/// What happened.
#[derive(Default)]
pub struct Notes {
    pub log: Vec<Entry>,
    /// The results of each step, unless it was dropped.
    pub results: Vec<Option<Vec<ToolResult>>>,
    /// What became a task, and how that ended.
    pub tasks: Vec<(usize, TaskId, Option<ToolResult>)>,
    /// Calls that are read, and calls that run.
    pub live: usize,
    /// What should not have happened.
    pub faults: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub at: u64,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A step is handed to the session.
    Opened(usize),
    /// Its results are there.
    Closed(usize),
    /// Its future is gone.
    Dropped(usize),
    Began(usize),
    Moved(usize),
    Ended(usize),
    Asked(usize),
    Answered(usize),
    Cancelled(Option<String>, usize),
}

thread_local! {
    /// The world of the batch that runs on this thread.
    static WORLD: RefCell<Option<Arc<World>>> = const { RefCell::new(None) };
}

impl World {
    pub fn new(case: &Case) -> Arc<Self> {
        let plan = Plan::new(case);
        let notes = Notes {
            results: vec![None; plan.steps.len()],
            ..Notes::default()
        };
        let world = Arc::new(Self {
            plan,
            notes: Mutex::new(notes),
            started: Instant::now(),
            pending: AtomicUsize::new(0),
            session: Mutex::default(),
        });
        WORLD.set(Some(Arc::clone(&world)));
        world
    }

    fn here() -> Result<Arc<Self>, &'static str> {
        WORLD
            .with_borrow(Clone::clone)
            .ok_or("no batch on this thread")
    }

    /// Lets go of what points back here.
    pub fn close(&self) {
        WORLD.set(None);
        let session = lock(&self.session).take();
        drop(session);
    }

    pub fn open(&self, session: Session) {
        *lock(&self.session) = Some(session);
    }

    pub fn session(&self) -> Option<Session> {
        lock(&self.session).clone()
    }

    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        lock(&self.notes)
    }

    pub fn log(&self, what: What) {
        let at = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.notes().log.push(Entry { at, what });
    }

    /// Hands a step to the session and keeps its results.
    pub async fn execute(self: &Arc<Self>, step: usize) {
        let Some(session) = self.session() else {
            return;
        };
        let mut open = Open {
            world: self,
            step,
            results: None,
        };
        self.log(What::Opened(step));
        let results = session.execute(self.plan.said(step)).await;
        open.results = Some(results);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A step until its end, whichever.
struct Open<'world> {
    world: &'world World,
    step: usize,
    results: Option<Vec<ToolResult>>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let results = self.results.take();
        self.world.log(match results {
            Some(_) => What::Closed(self.step),
            None => What::Dropped(self.step),
        });
        self.world.notes().results[self.step] = results;
    }
}

/// A tool whose calls do what the plan says of their number.
pub struct Simulated(ToolDefinition);

impl Simulated {
    pub fn new(parallel: bool, limit: Option<Limit>) -> Self {
        let mut traits = Traits::new().effect(Effect::Read);
        traits.parallel = parallel;
        traits.timeout =
            Some(limit.map_or(Traits::NO_TIMEOUT, |limit| Duration::from_millis(limit.ms)));
        traits.background = limit.is_some_and(|limit| limit.background);
        let name = tool_name(parallel, limit);
        let definition = ToolDefinition::new(name, "Does as it is told").traits(traits);
        Self(definition.arguments::<Number>())
    }
}

#[derive(Deserialize, JsonSchema)]
struct Number {
    /// The number of the call in the plan
    call: usize,
}

impl Tool for Simulated {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn prepare(
        self: Arc<Self>,
        arguments: &Arguments,
    ) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        let Number { call } = arguments.decode()?;
        let world = World::here().map_err(ArgumentError::new)?;
        panic_if(world.plan.calls[call].call.fault == Some(Fault::Prepare));
        world.notes().live += 1;
        Ok(Box::new(Prepared { world, call }))
    }
}

/// Not through the hook: a hundred thousand lines on the terminal help nobody.
fn panic_if(panics: bool) {
    if panics {
        resume_unwind(Box::new("as it was told"));
    }
}

struct Prepared {
    world: Arc<World>,
    call: usize,
}

impl Drop for Prepared {
    fn drop(&mut self) {
        self.world.notes().live -= 1;
    }
}

impl Prepared {
    fn fault(&self) -> Option<Fault> {
        self.world.plan.calls[self.call].call.fault
    }
}

impl PreparedCall for Prepared {
    fn permission(&self) -> Option<Permission> {
        panic_if(self.fault() == Some(Fault::Permission));
        let question = self.world.plan.calls[self.call].call.question?;
        let target = self.call.to_string();
        question.early.then(|| Permission::new(ASK).target(target))
    }

    fn key(&self) -> Option<String> {
        panic_if(self.fault() == Some(Fault::Key));
        self.world.plan.calls[self.call].call.key.map(str::to_owned)
    }

    fn run(
        self: Box<Self>,
        context: CallContext,
    ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
        let (world, call) = (Arc::clone(&self.world), self.call);
        let span = Span::new(Arc::clone(&world), call);
        panic_if(self.fault() == Some(Fault::Run));
        let bomb = Bomb(self.fault() == Some(Fault::Drop));
        let body = Box::pin(body(Arc::clone(&world), call, context));
        Box::pin(Traced {
            body,
            span,
            _bomb: bomb,
        })
    }
}

/// A call that runs.
struct Span {
    world: Arc<World>,
    call: usize,
}

impl Span {
    fn new(world: Arc<World>, call: usize) -> Self {
        world.log(What::Began(call));
        world.notes().live += 1;
        Self { world, call }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        self.world.log(What::Ended(self.call));
        self.world.notes().live -= 1;
    }
}

struct Bomb(bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        panic_if(self.0);
    }
}

/// The fields are dropped in this order: a call ends when all in it has.
struct Traced {
    body: BoxFuture<'static, Result<ToolOutput, ToolError>>,
    span: Span,
    _bomb: Bomb,
}

impl Future for Traced {
    type Output = Result<ToolOutput, ToolError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = self.body.as_mut().poll(cx);
        if polled.is_pending() {
            let Span { world, call } = &self.span;
            world.pending.store(*call, Ordering::Relaxed);
        }
        polled
    }
}

/// What a call gives that nothing happens to.
pub fn own_value(call: usize) -> String {
    format!("value {call}")
}

/// What a call gives that returns when it is cancelled.
pub const HEEDED: &str = "heeded";

async fn body(
    world: Arc<World>,
    call: usize,
    context: CallContext,
) -> Result<ToolOutput, ToolError> {
    let work = pin!(work(&world, call, &context));
    let Some(heeds) = world.plan.calls[call].call.heeds else {
        return work.await;
    };
    match (select(pin!(context.cancelled()), work).await, heeds) {
        (Either::Right((outcome, _)), _) => outcome,
        (Either::Left(_), Heeds::Returns) => Ok(ToolOutput::text(HEEDED)),
        (Either::Left(_), Heeds::Fails) => Err("stopped".into()),
    }
}

async fn work(
    world: &Arc<World>,
    call: usize,
    context: &CallContext,
) -> Result<ToolOutput, ToolError> {
    let planned = &world.plan.calls[call];
    let (before, after) = planned.call.pauses.split_at(planned.call.pauses.len() / 2);
    rest(before).await;
    if planned
        .call
        .question
        .is_some_and(|question| !question.early)
    {
        context.ask(call.to_string()).await?;
    }
    if let Some(inner) = planned.inner {
        // Boxed: a call may make calls that make calls.
        let inner: BoxFuture<'_, ()> = Box::pin(world.execute(inner));
        inner.await;
    }
    rest(after).await;
    panic_if(planned.call.fault == Some(Fault::Poll));
    match planned.call.fault {
        Some(Fault::Error) => Err("as it was told".into()),
        _ => Ok(ToolOutput::text(own_value(call))),
    }
}

async fn rest(pauses: &[u64]) {
    for &pause in pauses {
        match pause {
            0 => tokio::task::yield_now().await,
            ms => sleep(Duration::from_millis(ms)).await,
        }
    }
}

/// Answers as the plan says.
pub struct Person;

impl Approver for Person {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        let number = match request.permission().targets() {
            [target, ..] => target.as_str(),
            [] => request.reason(),
        };
        let number: Option<usize> = number.parse().ok();
        Box::pin(async move {
            let (Ok(world), Some(call)) = (World::here(), number) else {
                return Answer::Reject("nobody knows this call".to_owned());
            };
            match world.plan.calls[call].call.question {
                Some(question) => answer(&world, call, question).await,
                None => Answer::Reject("this call was to ask nothing".to_owned()),
            }
        })
    }
}

async fn answer(world: &World, call: usize, question: Question) -> Answer {
    let _asking = Asking::new(world, call);
    match question.answer {
        Reply::Never => std::future::pending().await,
        _ => sleep(Duration::from_millis(question.after)).await,
    }
    match question.answer {
        Reply::Yes => Answer::Once,
        _ => Answer::Reject("as it was told".to_owned()),
    }
}

struct Asking<'world>(&'world World, usize);

impl<'world> Asking<'world> {
    fn new(world: &'world World, call: usize) -> Self {
        world.log(What::Asked(call));
        Self(world, call)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.log(What::Answered(self.1));
    }
}

/// Notes what becomes a task.
#[derive(Default)]
pub struct Watched(pub LocalExecutor);

impl Executor for Watched {
    fn execute(&self, call: ReadyCall, wait_up_to: Duration) -> BoxFuture<'_, Executed> {
        let world = World::here();
        // A call comes here straight from its first poll.
        let number = |world: &World| world.pending.load(Ordering::Relaxed);
        let known = world.ok().map(|world| (number(&world), world));
        let task = call.task_id();
        if let Some((number, world)) = &known
            && world.plan.calls[*number].call.id != call.context().id()
        {
            let fault = format!("{call:?} came to the executor in place of call {number}");
            world.notes().faults.push(fault);
        }
        Box::pin(async move {
            let executed = self.0.execute(call, wait_up_to).await;
            if let (Executed::Running, Some((number, world))) = (&executed, known) {
                world.log(What::Moved(number));
                world.notes().tasks.push((number, task, None));
            }
            executed
        })
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
