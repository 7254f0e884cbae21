//! Which queries led to which tools: what a session searched for last, and what was called since.

use super::Session;
use super::search::{Ranking, selected};
use super::view::View;
use crate::search::Learned;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the last search of a session has found.
#[derive(Debug, Default)]
pub(crate) struct Followed(Mutex<Search>);

#[derive(Debug, Default)]
struct Search {
    /// What tells it from the searches before.
    number: u64,
    queries: Vec<Query>,
}

#[derive(Debug)]
struct Query {
    text: String,
    names: Vec<String>,
    led: Led,
}

/// To what a query has led so far.
#[derive(Debug)]
enum Led {
    Nowhere,
    /// To a tool, of which it was an example before or was made one.
    To {
        tool: String,
        is_new: bool,
    },
    /// To several tools: it is an example of none.
    Astray,
}

impl Followed {
    /// The search that has found a tool, if it is the last one.
    fn search_of(&self, tool: &str) -> Option<u64> {
        let search = self.lock();
        search.rank(tool).map(|_| search.number)
    }

    fn begin(&self, queries: Vec<Query>) {
        let mut search = self.lock();
        search.number += 1;
        search.queries = queries;
    }

    /// Learns from a call that has succeeded: of the queries that found its tool, those that found it
    /// best. Nothing, where another search has come since.
    fn note(&self, number: u64, tool: &str, learned: &Learned) {
        let mut search = self.lock();
        let Some(rank) = search.rank(tool).filter(|_| search.number == number) else {
            return;
        };
        for query in &mut search.queries {
            if query.names.get(rank).is_some_and(|name| name == tool) {
                query.follow(tool, learned);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Search> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Search {
    /// The best that a query has a tool at.
    fn rank(&self, tool: &str) -> Option<usize> {
        let ranks = self.queries.iter();
        ranks
            .filter_map(|query| query.names.iter().position(|name| name == tool))
            .min()
    }
}

impl Query {
    /// The first tool is learned; with a second one it is taken back.
    fn follow(&mut self, tool: &str, learned: &Learned) {
        match &self.led {
            Led::Nowhere => {
                let is_new = learned.add(tool, &self.text);
                let tool = tool.to_owned();
                self.led = Led::To { tool, is_new };
            }
            Led::To {
                tool: first,
                is_new,
            } if first != tool => {
                if *is_new {
                    learned.remove(first, &self.text);
                }
                self.led = Led::Astray;
            }
            Led::To { .. } | Led::Astray => {}
        }
    }
}

impl Session {
    /// Remembers what a search has found, where the runtime learns.
    pub(crate) fn note_search(&self, rankings: &[Ranking]) {
        if self.0.runtime.learns() {
            let ranked = rankings
                .iter()
                .filter(|ranking| selected(&ranking.query).is_none());
            let queries = ranked.map(|ranking| Query {
                text: ranking.query.clone(),
                names: ranking.names.clone(),
                led: Led::Nowhere,
            });
            self.followed().begin(queries.collect());
        }
    }

    /// The search that a model's call follows.
    pub(super) fn search_before(&self, view: &View<'_>, tool: &str) -> Option<u64> {
        let may_follow = self.0.runtime.learns() && !view.is_by_hand;
        may_follow.then(|| self.followed().search_of(tool))?
    }

    /// A call that follows a search has succeeded.
    pub(crate) fn note_success(&self, search: u64, tool: &str) {
        if self.view().findable(tool).is_some() {
            let learned = self.0.runtime.learned_examples();
            self.followed().note(search, tool, learned);
        }
    }

    fn followed(&self) -> &Followed {
        &self.0.shared.followed
    }
}
