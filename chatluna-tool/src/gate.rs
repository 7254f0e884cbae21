//! Who of a session may run: calls are let in in the order in which they come.
//!
//! A parallel call is let in beside others, up to a cap, unless a call of its key runs or waits. A
//! call that is not parallel waits for all before it and holds back all after it.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// What a call needs to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) parallel: bool,
    /// What it must not run beside.
    pub(crate) key: Option<String>,
}

/// The gate of a session, which overlapping steps share.
#[derive(Debug)]
pub(crate) struct Gate {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// How many parallel calls run at once.
    cap: usize,
    running: usize,
    /// Whether the one that runs is not parallel.
    alone: bool,
    /// The keys of those that run.
    keys: Vec<String>,
    waiting: VecDeque<Ticket>,
    next: u64,
}

#[derive(Debug)]
struct Ticket {
    number: u64,
    pass: Pass,
    waker: Waker,
    /// Whether it is counted among those that run.
    admitted: bool,
}

impl Gate {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            state: Mutex::new(State {
                cap,
                running: 0,
                alone: false,
                keys: Vec::new(),
                waiting: VecDeque::new(),
                next: 0,
            }),
        }
    }

    /// A place at once, if there is one and nobody waits.
    #[inline]
    pub(crate) fn try_enter(&self, pass: Pass) -> Result<Place<'_>, Pass> {
        let mut state = self.lock();
        if !state.waiting.is_empty() || !state.has_room(&pass) {
            return Err(pass);
        }
        state.occupy(&pass);
        drop(state);
        Ok(Place { gate: self, pass })
    }

    /// Waits for a place. Dropping the future gives up the wish, or the place.
    pub(crate) fn enter(&self, pass: Pass) -> Entering<'_> {
        Entering {
            gate: self,
            pass: Some(pass),
            ticket: None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn leave(&self, pass: &Pass) {
        let mut state = self.lock();
        state.vacate(pass);
        if state.waiting.is_empty() {
            return;
        }
        let admitted = state.admit();
        drop(state);
        admitted.into_iter().for_each(Waker::wake);
    }
}

impl State {
    #[inline]
    fn has_room(&self, pass: &Pass) -> bool {
        match &pass.key {
            _ if !pass.parallel => self.running == 0,
            _ if self.alone || self.running >= self.cap => false,
            Some(key) => !self.keys.contains(key),
            None => true,
        }
    }

    #[inline]
    fn occupy(&mut self, pass: &Pass) {
        self.running += 1;
        self.alone = !pass.parallel;
        if let Some(key) = &pass.key {
            self.keys.push(key.clone());
        }
    }

    #[inline]
    fn vacate(&mut self, pass: &Pass) {
        self.running -= 1;
        self.alone = false;
        if let Some(key) = &pass.key {
            let index = self.keys.iter().position(|held| held == key);
            index.map(|index| self.keys.swap_remove(index));
        }
    }

    /// Lets in who may run now; they are to be woken.
    fn admit(&mut self) -> Vec<Waker> {
        let mut admitted = Vec::new();
        // The keys of those who wait further ahead.
        let mut ahead: Vec<String> = Vec::new();
        for index in 0..self.waiting.len() {
            let ticket = &self.waiting[index];
            if ticket.admitted {
                continue;
            }
            let pass = ticket.pass.clone();
            let is_behind_its_key = pass.key.as_ref().is_some_and(|key| ahead.contains(key));
            if !is_behind_its_key && self.has_room(&pass) {
                self.occupy(&pass);
                let ticket = &mut self.waiting[index];
                ticket.admitted = true;
                admitted.push(ticket.waker.clone());
            } else if !pass.parallel || self.alone || self.running >= self.cap {
                break;
            } else {
                ahead.extend(pass.key);
            }
        }
        admitted
    }

    fn position(&self, number: u64) -> Option<usize> {
        self.waiting
            .iter()
            .position(|ticket| ticket.number == number)
    }
}

/// A wish to run.
#[derive(Debug)]
pub(crate) struct Entering<'gate> {
    gate: &'gate Gate,
    /// Gone with the place.
    pass: Option<Pass>,
    ticket: Option<u64>,
}

impl<'gate> Future for Entering<'gate> {
    type Output = Place<'gate>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Place<'gate>> {
        let this = &mut *self;
        let Some(pass) = &this.pass else {
            return Poll::Pending;
        };
        let mut state = this.gate.lock();
        let number = *this.ticket.get_or_insert_with(|| {
            let number = state.next;
            state.next += 1;
            state.waiting.push_back(Ticket {
                number,
                pass: pass.clone(),
                waker: cx.waker().clone(),
                admitted: false,
            });
            // It may pass those that only a key holds back; nobody else is let in by its coming.
            state.admit();
            number
        });
        let Some(index) = state.position(number) else {
            return Poll::Pending;
        };
        if state.waiting[index].admitted {
            state.waiting.remove(index);
            drop(state);
            return this.placed();
        }
        state.waiting[index].waker.clone_from(cx.waker());
        Poll::Pending
    }
}

impl<'gate> Entering<'gate> {
    fn placed(&mut self) -> Poll<Place<'gate>> {
        self.ticket = None;
        match self.pass.take() {
            Some(pass) => Poll::Ready(Place {
                gate: self.gate,
                pass,
            }),
            None => Poll::Pending,
        }
    }
}

impl Drop for Entering<'_> {
    fn drop(&mut self) {
        let Some(number) = self.ticket else { return };
        let mut state = self.gate.lock();
        let Some(index) = state.position(number) else {
            return;
        };
        let ticket = state.waiting.remove(index);
        if let Some(ticket) = ticket.filter(|ticket| ticket.admitted) {
            state.vacate(&ticket.pass);
        }
        let admitted = state.admit();
        drop(state);
        admitted.into_iter().for_each(Waker::wake);
    }
}

/// A place behind the gate, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place<'gate> {
    gate: &'gate Gate,
    pass: Pass,
}

impl Drop for Place<'_> {
    #[inline]
    fn drop(&mut self) {
        self.gate.leave(&self.pass);
    }
}

#[cfg(test)]
mod tests {
    use super::{Entering, Gate, Pass, Place};
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll, Wake, Waker};

    fn poll<'gate>(entering: &mut Entering<'gate>) -> Option<Place<'gate>> {
        match Pin::new(entering).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => Some(place),
            Poll::Pending => None,
        }
    }

    fn beside() -> Pass {
        Pass {
            parallel: true,
            key: None,
        }
    }

    fn keyed(key: &str) -> Pass {
        Pass {
            parallel: true,
            key: Some(key.to_owned()),
        }
    }

    #[test]
    fn parallel_calls_share_the_session_up_to_the_cap() {
        let gate = Gate::new(2);
        let (mut one, mut two, mut three) = (
            gate.enter(beside()),
            gate.enter(beside()),
            gate.enter(beside()),
        );
        let (first, second) = (poll(&mut one), poll(&mut two));
        assert!(first.is_some() && second.is_some() && poll(&mut three).is_none());
        drop(first);
        assert!(poll(&mut three).is_some());
    }

    #[test]
    fn a_call_that_is_not_parallel_waits_for_all_and_holds_back_all() {
        let gate = Gate::new(9);
        let (mut one, mut alone, mut two) = (
            gate.enter(beside()),
            gate.enter(Pass::default()),
            gate.enter(beside()),
        );
        let first = poll(&mut one);
        assert!(poll(&mut alone).is_none() && poll(&mut two).is_none());
        drop(first);
        let lone = poll(&mut alone);
        assert!(lone.is_some() && poll(&mut two).is_none());
        drop(lone);
        assert!(poll(&mut two).is_some());
    }

    #[test]
    fn calls_of_one_key_keep_their_order_and_others_pass_them() {
        let gate = Gate::new(9);
        let (mut one, mut two, mut three, mut other) = (
            gate.enter(keyed("a")),
            gate.enter(keyed("a")),
            gate.enter(keyed("a")),
            gate.enter(keyed("b")),
        );
        let first = poll(&mut one);
        assert!(first.is_some() && poll(&mut two).is_none() && poll(&mut three).is_none());
        assert!(poll(&mut other).is_some());
        drop(first);
        assert!(poll(&mut three).is_none());
        let second = poll(&mut two);
        assert!(second.is_some() && poll(&mut three).is_none());
        drop(second);
        assert!(poll(&mut three).is_some());
    }

    #[test]
    fn who_gives_up_holds_nobody_back() {
        let gate = Gate::new(9);
        let (mut one, mut alone, mut two) = (
            gate.enter(beside()),
            gate.enter(Pass::default()),
            gate.enter(beside()),
        );
        let first = poll(&mut one);
        assert!(poll(&mut alone).is_none() && poll(&mut two).is_none());
        drop(alone);
        assert!(poll(&mut two).is_some());
        drop(first);
    }

    #[test]
    fn a_place_that_nobody_took_is_given_back() {
        let gate = Gate::new(1);
        let (mut one, mut two, mut three) = (
            gate.enter(beside()),
            gate.enter(beside()),
            gate.enter(beside()),
        );
        let first = poll(&mut one);
        assert!(poll(&mut two).is_none() && poll(&mut three).is_none());
        // `two` is let in, and never looks.
        drop(first);
        drop(two);
        assert!(poll(&mut three).is_some());
    }

    #[test]
    fn who_is_let_in_is_woken() {
        #[derive(Default)]
        struct Count(AtomicUsize);
        impl Wake for Count {
            fn wake(self: Arc<Self>) {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
        let gate = Gate::new(1);
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let (mut one, mut two) = (gate.enter(beside()), gate.enter(beside()));
        let first = poll(&mut one);
        assert!(
            Pin::new(&mut two)
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );
        drop(first);
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
    }
}
