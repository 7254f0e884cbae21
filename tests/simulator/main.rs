//! Batches made from seeds and run in virtual time: what a session promises of order, keys, cap,
//! results and ends holds in every one.

mod case;
mod check;
mod facts;
#[cfg(feature = "store")]
#[path = "../folder.rs"]
mod folder;
mod notices;
mod plan;
#[cfg(feature = "store")]
mod restart;
mod shrink;
mod time;
mod world;

use case::{Case, Weather};
use chatluna_tool::{
    BuildError, LocalExecutor, PermissionPolicy, Runtime, RuntimeBuilder, Session, SessionInfo,
};
use check::Tally;
use shrink::shrunk;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use world::{What, World};

/// Batches a test.
const SEEDS: u64 = 25_000;

/// When a session is aborted in which somebody is asked who never answers.
const PATIENCE: Duration = Duration::from_secs(10);

/// When whatever is not over never will be.
const END: Duration = Duration::from_secs(600);

/// The runtimes of one test, by their `max_concurrency`.
struct Simulator {
    runtimes: Vec<Runtime>,
}

impl Simulator {
    fn new() -> Result<Self, BuildError> {
        let runtimes = (1..=4).map(|cap| builder(cap, LocalExecutor::default()).build());
        Ok(Self {
            runtimes: runtimes.collect::<Result<_, _>>()?,
        })
    }

    /// Runs a case and checks it.
    fn check(&self, case: &Case) -> Result<Tally, String> {
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        let tokio = tokio.map_err(|error| error.to_string())?;
        let world = tokio.block_on(async {
            let world = World::new(case);
            let over = self.run(case, &world).await;
            world.close();
            over.map(|()| world)
        })?;
        drop(tokio);
        match Arc::strong_count(&world) {
            1 => check::check(case, &world),
            handles => Err(format!("{} handles of the session leaked", handles - 1)),
        }
    }

    /// Runs a case until all is over.
    async fn run(&self, case: &Case, world: &Arc<World>) -> Result<(), String> {
        let info = SessionInfo::new("simulated").state(Arc::clone(world));
        let runtime = &self.runtimes[case.max_concurrency - 1];
        let session = runtime.session(info);
        world.open(session.clone());
        let steps = start(case, world);
        let cancels = disturb(case, world);
        let over = timeout(END, steps.join_all()).await;
        over.map_err(|_| stuck("a step", world))?;
        wait_for_tasks(&session, world).await?;
        cancels.join_all().await;
        // What was dropped with a step ends once it is polled.
        sleep(Duration::from_millis(1)).await;
        notices::check(runtime, &session, world).await?;
        drop(session);
        still_works(world).await
    }
}

/// Waits for what went on in the background, and for what that left there.
async fn wait_for_tasks(session: &Session, world: &World) -> Result<(), String> {
    let next = || {
        let notes = world.notes();
        let mut tasks = notes.tasks.iter().enumerate();
        let open = tasks.find(|(_, (_, _, result))| result.is_none());
        open.map(|(index, (_, task, _))| (index, task.clone()))
    };
    while let Some((index, task)) = next() {
        let ended = timeout(END, session.background().wait(&task)).await;
        let ended = ended.map_err(|_| stuck("a task", world))?;
        let result = ended.and_then(|task| task.result);
        let result = result.ok_or_else(|| format!("{task} is unknown"))?;
        world.notes().tasks[index].2 = Some(result);
    }
    Ok(())
}

fn builder(max_concurrency: usize, executor: LocalExecutor) -> RuntimeBuilder {
    let mut builder = Runtime::builder()
        .policy(PermissionPolicy::allow_all().ask(world::ASK))
        .approver(world::Person)
        .executor(world::Watched(executor));
    if let Some(cap) = NonZeroUsize::new(max_concurrency) {
        builder = builder.max_concurrency(cap);
    }
    for (parallel, limit) in plan::tools() {
        builder = builder.tool(world::Simulated::new(parallel, limit));
    }
    builder
}

/// Each step is a task of its own, which nothing wakes but what it waits for.
fn start(case: &Case, world: &Arc<World>) -> JoinSet<()> {
    let steps = case.steps.iter().zip(world.plan.outermost());
    let steps = steps.map(|(step, number)| {
        let world = Arc::clone(world);
        let (at, dropped_after) = (step.at, step.dropped_after);
        async move {
            sleep(Duration::from_millis(at)).await;
            let step = world.execute(number);
            match dropped_after {
                // Dropped or done: the notes know which.
                Some(ms) => drop(timeout(Duration::from_millis(ms), step).await),
                None => step.await,
            }
        }
    });
    steps.collect()
}

/// Cancels what is to be cancelled.
fn disturb(case: &Case, world: &Arc<World>) -> JoinSet<()> {
    let cancels = case.cancels.iter();
    let cancels = cancels.map(|cancel| (Duration::from_millis(cancel.at), cancel.id.clone()));
    let last_resort = case.hangs().then_some((PATIENCE, None));
    let cancels = cancels.chain(last_resort).map(|(at, id)| {
        let world = Arc::clone(world);
        async move {
            sleep(at).await;
            let count = world.session().map(|session| match &id {
                Some(id) => session.cancel(id),
                None => session.abort(),
            });
            world.log(What::Cancelled(id, count.unwrap_or(0)));
        }
    });
    cancels.collect()
}

/// Nothing is left, and the session takes calls of every kind.
async fn still_works(world: &Arc<World>) -> Result<(), String> {
    let known = world.session().map(|session| session.abort());
    if known != Some(0) {
        return Err(format!("{known:?} calls are left in the session"));
    }
    let live = world.notes().live;
    if live > 0 {
        return Err(format!("{live} calls are left in memory"));
    }
    let after = timeout(END, world.execute(world.plan.last())).await;
    after.map_err(|_| stuck("the step after all", world))
}

fn stuck(what: &str, world: &World) -> String {
    format!("{what} never ends\n{}", check::told(world))
}

/// Runs every seed; the first that fails is made as small as it still fails.
fn every_seed(weather: Weather) -> Result<Tally, BuildError> {
    let simulator = Simulator::new()?;
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let case = Case::new(seed, weather);
        match simulator.check(&case) {
            Ok(found) => tally += found,
            Err(_) => fail(&simulator, case, seed),
        }
    }
    Ok(tally)
}

fn fail(simulator: &Simulator, case: Case, seed: u64) {
    let small = shrunk(case, |case| simulator.check(case).is_err());
    let fault = simulator.check(&small).err();
    panic!("seed {seed}: {small:#?}\n{}", fault.unwrap_or_default());
}

#[test]
fn in_calm_weather_every_call_succeeds_in_its_turn() -> Result<(), BuildError> {
    let tally = every_seed(Weather {
        inner: true,
        ..Weather::default()
    })?;
    assert!(tally.calls == tally.succeeded, "{tally:?}");
    assert!(tally.together > SEEDS && tally.waited > SEEDS, "{tally:?}");
    Ok(())
}

#[test]
fn a_timeout_ends_a_call_or_moves_it_and_nothing_else() -> Result<(), BuildError> {
    let tally = every_seed(Weather {
        limits: true,
        questions: true,
        inner: true,
        ..Weather::default()
    })?;
    assert!(
        tally.late > SEEDS / 4 && tally.moved > SEEDS / 4,
        "{tally:?}"
    );
    assert!(tally.refused > SEEDS / 4, "{tally:?}");
    Ok(())
}

#[test]
fn a_call_that_is_cancelled_or_dropped_takes_nothing_along() -> Result<(), BuildError> {
    let tally = every_seed(Weather {
        inner: true,
        cancels: true,
        drops: true,
        ..Weather::default()
    })?;
    assert!(tally.cancelled > SEEDS / 4, "{tally:?}");
    assert!(tally.dropped > SEEDS / 4, "{tally:?}");
    Ok(())
}

#[test]
fn in_foul_weather_every_promise_holds() -> Result<(), BuildError> {
    let tally = every_seed(Weather {
        limits: true,
        questions: true,
        faults: true,
        inner: true,
        cancels: true,
        drops: true,
    })?;
    assert!(tally.panicked > SEEDS / 4, "{tally:?}");
    Ok(())
}
