//! What the models of sessions have been told of besides what they are told of from the start, over
//! a restart.

use super::Ledger;
use super::retention::SWEEP;
use crate::background::disk::{Change, Loaded, Written};
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// How old the time may be, at most, at which a session is known to have used its list: it is not
/// written with every use.
const TOUCH: Duration = Duration::from_secs(60 * 60);

/// The lists of all sessions.
pub(super) struct Lists {
    pub(super) by_session: HashMap<String, Loaded>,
    /// When old ones were last looked for.
    swept: SystemTime,
}

impl Default for Lists {
    fn default() -> Self {
        let (by_session, swept) = (HashMap::new(), SystemTime::now());
        Self { by_session, swept }
    }
}

impl Ledger {
    /// The names that a session was last told of, in their order. `None` where nothing is kept.
    pub(crate) fn loaded(&self, session: &str) -> Option<Vec<Arc<str>>> {
        self.disk.as_ref()?;
        let lists = self.lists();
        let own = lists.by_session.get(session).into_iter();
        let names = own.flat_map(|own| &own.names);
        Some(names.map(|name| name.as_str().into()).collect())
    }

    /// Keeps the names that a session is told of; `None` if they are kept. To be called in the lock
    /// of the session, so that its changes stay in their order.
    pub(crate) fn keep_loaded(&self, session: &str, names: &[Arc<str>]) -> Option<Written> {
        self.keep_loaded_at(session, names, SystemTime::now())
    }

    pub(super) fn keep_loaded_at(
        &self,
        session: &str,
        names: &[Arc<str>],
        now: SystemTime,
    ) -> Option<Written> {
        let touch = TOUCH.min(self.retention / 2);
        let mut lists = self.lists();
        let known = lists.by_session.get(session);
        let is_known = known
            .is_some_and(|known| same(&known.names, names) && !is_past(known.used, touch, now));
        if names.is_empty() || is_known {
            return None;
        }
        let own = Loaded {
            session: session.to_owned(),
            names: names.iter().map(|name| name.to_string()).collect(),
            used: now,
        };
        lists.by_session.insert(session.to_owned(), own.clone());
        let mut changes = vec![Change::Load(Box::new(own))];
        changes.extend(lists.forget_old(self.retention, now));
        Some(self.write(|| changes))
    }

    pub(super) fn lists(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lists {
    /// Forgets those that were not used for so long; looks once an hour.
    fn forget_old(&mut self, retention: Duration, now: SystemTime) -> Vec<Change> {
        if !is_past(self.swept, SWEEP, now) {
            return Vec::new();
        }
        self.swept = now;
        let old = |_: &String, own: &mut Loaded| is_past(own.used, retention, now);
        let old = self.by_session.extract_if(old);
        let mut old: Vec<String> = old.map(|(session, _)| session).collect();
        old.sort_unstable();
        old.into_iter()
            .map(|session| Change::Unload { session })
            .collect()
    }
}

/// Whether so much time has passed. A clock that was set back tells nothing.
fn is_past(moment: SystemTime, time: Duration, now: SystemTime) -> bool {
    now.duration_since(moment)
        .map_or(true, |since| since >= time)
}

fn same(left: &[String], right: &[Arc<str>]) -> bool {
    let left = left.iter().map(String::as_str);
    left.eq(right.iter().map(AsRef::as_ref))
}
