//! How long a call may take, the time it waits for a person not counted.

use crate::guard::guard;
use crate::signal::Signal;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::task::unconstrained;
use tokio::time::{Instant, Sleep};

/// How soon a clock that stands still is looked at again.
const WHILE_WAITING: Duration = Duration::from_millis(50);

/// Why a future did not finish.
#[derive(Debug)]
pub(crate) enum Expired {
    /// The limit has passed.
    Timeout,
    /// It was told to end, and the time to do so has passed.
    Cancelled,
    /// There is no tokio runtime with a timer to wait on.
    NoTimer,
}

/// The time that a call has spent waiting for answers.
#[derive(Default)]
pub(crate) struct Clock {
    stopped: Mutex<Stopped>,
}

#[derive(Default)]
struct Stopped {
    total: Duration,
    open: usize,
    since: Option<Instant>,
}

impl Clock {
    /// Stops the clock; each stop needs its [`resume`](Self::resume).
    pub(crate) fn stop(&self) {
        let mut stopped = self.lock();
        stopped.open += 1;
        stopped.since.get_or_insert_with(Instant::now);
    }

    pub(crate) fn resume(&self) {
        let mut stopped = self.lock();
        stopped.open -= 1;
        if stopped.open == 0
            && let Some(since) = stopped.since.take()
        {
            stopped.total += since.elapsed();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().open > 0
    }

    /// The time waited so far, and whether a question is open.
    fn waited(&self) -> (Duration, bool) {
        let stopped = self.lock();
        let current = stopped
            .since
            .map_or(Duration::ZERO, |since| since.elapsed());
        (stopped.total + current, stopped.open > 0)
    }

    fn lock(&self) -> MutexGuard<'_, Stopped> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `future` for at most `limit` of unstopped time, and for `grace` once the signal fires. A
/// timer is made only when the first poll is pending.
///
/// An expired future is left as it is: it may be run on, or dropped.
pub(crate) async fn within<F: Future + Unpin>(
    limit: Duration,
    grace: Duration,
    clock: &Clock,
    signal: &Signal,
    future: &mut F,
) -> Result<F::Output, Expired> {
    let mut fired = pin!(signal.fired());
    let mut timer: Option<Timer> = None;
    let mut is_ending = false;
    poll_fn(|cx| {
        if let Poll::Ready(value) = Pin::new(&mut *future).poll(cx) {
            return Poll::Ready(Ok(value));
        }
        if !is_ending && fired.as_mut().poll(cx).is_ready() {
            is_ending = true;
            timer = None;
        }
        let (limit, clock) = if is_ending {
            (grace, None)
        } else {
            (limit, Some(clock))
        };
        if timer.is_none() {
            let Some(started) = Timer::start(limit, clock) else {
                return Poll::Ready(Err(Expired::NoTimer));
            };
            timer = Some(started);
        }
        match &mut timer {
            Some(timer) => timer.poll(cx, clock).map(|()| Err(expired(is_ending))),
            None => Poll::Pending,
        }
    })
    .await
}

fn expired(is_ending: bool) -> Expired {
    if is_ending {
        Expired::Cancelled
    } else {
        Expired::Timeout
    }
}

/// There is no tokio runtime with a timer to wait on.
#[derive(Debug)]
pub(crate) struct NoTimer;

/// Waits for so long.
pub(crate) async fn elapsed(limit: Duration) -> Result<(), NoTimer> {
    let mut timer = Timer::start(limit, None).ok_or(NoTimer)?;
    poll_fn(|cx| timer.poll(cx, None)).await;
    Ok(())
}

struct Timer {
    started: Instant,
    /// What had been waited before it started.
    waited: Duration,
    limit: Duration,
    sleep: Pin<Box<Sleep>>,
}

impl Timer {
    /// `None` outside a tokio runtime, or in one without a timer.
    fn start(limit: Duration, clock: Option<&Clock>) -> Option<Self> {
        tokio::runtime::Handle::try_current().ok()?;
        let sleep = guard(|| Box::pin(tokio::time::sleep(limit))).ok()?;
        Some(Self {
            started: Instant::now(),
            waited: clock.map_or(Duration::ZERO, |clock| clock.waited().0),
            limit,
            sleep,
        })
    }

    /// A clock that stands still does not count; without one all time does.
    fn poll(&mut self, cx: &mut Context<'_>, clock: Option<&Clock>) -> Poll<()> {
        // Outside tokio's budget: a call that has spent its own would never see its timer fire.
        while pin!(unconstrained(self.sleep.as_mut())).poll(cx).is_ready() {
            let (waited, open) = clock.map_or((Duration::ZERO, false), Clock::waited);
            let waited = waited.saturating_sub(self.waited);
            let running = self.started.elapsed().saturating_sub(waited);
            let left = self.limit.saturating_sub(running);
            if left.is_zero() && !open {
                return Poll::Ready(());
            }
            let pause = if open { left.max(WHILE_WAITING) } else { left };
            self.sleep.as_mut().reset(Instant::now() + pause);
        }
        Poll::Pending
    }
}
