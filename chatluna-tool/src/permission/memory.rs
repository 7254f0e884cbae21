//! Answers that a session remembers, for a turn or for as long as it is open.

use super::pattern::Pattern;
use super::policy::Rules;
use super::{ApprovalRequest, PermissionPolicy, Rule, Verdict, Who};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// For how long a session remembers an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Turn,
    Session,
}

#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Made with the first answer: most sessions have none.
    lists: OnceLock<Box<Mutex<Lists>>>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Lists {
    turn: Option<Arc<[Rule]>>,
    session: Option<Arc<[Rule]>>,
}

impl Memory {
    pub(crate) fn add(&self, scope: Scope, rules: &[Rule]) {
        let mut lists = lock(self.lists.get_or_init(Box::default));
        let list = match scope {
            Scope::Turn => &mut lists.turn,
            Scope::Session => &mut lists.session,
        };
        let known = list.as_deref().unwrap_or_default();
        let new = rules.iter().filter(|rule| !known.contains(rule));
        *list = Some(known.iter().chain(new).cloned().collect());
    }

    /// Tells those who wait for answers that they may not need them any more.
    pub(crate) fn tell(&self) {
        self.changed.notify_waiters();
    }

    /// The next [`tell`](Self::tell) from now on.
    pub(crate) fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    /// Forgets what was for the turn.
    pub(crate) fn end_turn(&self) {
        if let Some(lists) = self.lists.get() {
            lock(lists).turn = None;
        }
    }

    /// Whether nothing has been remembered yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.lists.get().is_none()
    }

    /// What is remembered here, after what the store keeps.
    pub(crate) fn with(&self, kept: Option<Arc<[Rule]>>) -> Remembered {
        let lists = self.lists.get().map(|lists| lock(lists));
        let own = lists.map(|lists| (lists.session.clone(), lists.turn.clone()));
        let (session, turn) = own.unwrap_or_default();
        Remembered([kept, session, turn])
    }
}

fn lock(lists: &Mutex<Lists>) -> MutexGuard<'_, Lists> {
    lists.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answers that are remembered at one moment: those of the store, of the session, of the turn.
#[derive(Debug, Default)]
pub(crate) struct Remembered([Option<Arc<[Rule]>>; 3]);

impl Remembered {
    pub(crate) fn rules<'rules>(&'rules self, policy: &'rules PermissionPolicy) -> Rules<'rules> {
        let remembered = self
            .0
            .each_ref()
            .map(|list| list.as_deref().unwrap_or_default());
        Rules { policy, remembered }
    }
}

/// The rules that an answer to a question becomes: on its very action and targets, for whom it was
/// asked.
pub(crate) fn of_answer(request: &ApprovalRequest, verdict: Verdict) -> Vec<Rule> {
    let permission = request.permission();
    let who = Who::remembered(request.session());
    let rule = |target: &str| Rule {
        target: Some(Pattern::literal(target)),
        who: who.clone(),
        ..Rule::new(verdict, Pattern::literal(permission.action()))
    };
    match permission.targets() {
        [] => vec![rule("")],
        targets => targets.iter().map(|target| rule(target)).collect(),
    }
}
