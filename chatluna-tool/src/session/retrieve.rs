//! Asking those who rank tools otherwise than by words.

use super::Session;
use super::search::{Ranking, selected};
use crate::deadline::{NoTimer, elapsed};
use crate::definition::ToolDefinition;
use crate::guard::{Guarded, Panicked, guard};
use crate::search::{RETRIEVER_TIMEOUT, Retriever, fused, with_words};
use futures_util::future::{Either, join_all, select};
use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;

/// How many places of each ranking are fused, where the search may not find more: behind them a place
/// is worth little.
const PLACES: usize = 50;

impl Session {
    pub(super) fn retrievers(&self) -> &[Arc<dyn Retriever>] {
        &self.0.runtime.parts().retrievers
    }

    /// What each query finds by words and by all retrievers.
    pub(super) async fn retrieved(&self, queries: Vec<String>, limit: usize) -> Vec<Ranking> {
        let (tools, rankings) = {
            let view = self.view();
            let places = limit.max(PLACES);
            let queries = queries.iter();
            let rankings: Vec<Ranking> = queries.map(|query| view.ranking(query, places)).collect();
            (view.all_findable(), rankings)
        };
        let rankings = rankings.into_iter();
        join_all(rankings.map(|ranking| self.with_retrievers(ranking, &tools, limit))).await
    }

    /// A ranking by words, fused with what the retrievers say of its query, if they are to be asked.
    async fn with_retrievers(
        &self,
        mut ranking: Ranking,
        tools: &[ToolDefinition],
        limit: usize,
    ) -> Ranking {
        if selected(&ranking.query).is_some() {
            return ranking;
        }
        let mut rankings = vec![std::mem::take(&mut ranking.names)];
        let is_asked = limit > 0 && !tools.is_empty();
        if let Some(query) = with_words(&ranking.query).filter(|_| is_asked) {
            let places = limit.max(PLACES);
            let retrievers = self.retrievers().iter();
            let asked = retrievers.map(|retriever| ask(&**retriever, query, tools, places));
            rankings.extend(join_all(asked).await.into_iter().flatten());
        }
        ranking.names = named_first(&ranking.query, fused(&rankings));
        ranking.names.truncate(limit);
        ranking
    }
}

/// The names, the one in front that is the whole query.
fn named_first(query: &str, mut names: Vec<String>) -> Vec<String> {
    if let Some(place) = names.iter().position(|name| name == query.trim()) {
        names[..=place].rotate_right(1);
    }
    names
}

/// What a retriever answers, as far as it can be used.
async fn ask(
    retriever: &dyn Retriever,
    query: &str,
    tools: &[ToolDefinition],
    limit: usize,
) -> Option<Vec<String>> {
    match answer(retriever, query, tools, limit).await {
        Ok(names) => Some(usable(names, tools, limit)),
        Err(why) => {
            let retriever = retriever.name();
            tracing::warn!(retriever, why, "a retriever was left out of a search");
            None
        }
    }
}

/// What a retriever answers, or why it does not.
async fn answer(
    retriever: &dyn Retriever,
    query: &str,
    tools: &[ToolDefinition],
    limit: usize,
) -> Result<Vec<String>, String> {
    let answer = guard(|| retriever.retrieve(query, tools, limit)).map_err(panicked)?;
    match select(Guarded::new(answer), pin!(elapsed(RETRIEVER_TIMEOUT))).await {
        Either::Left((Ok(Ok(names)), _)) => Ok(names),
        Either::Left((Ok(Err(error)), _)) => {
            Err(guard(move || error.to_string()).map_err(panicked)?)
        }
        Either::Left((Err(panic), _)) => Err(panicked(panic)),
        Either::Right((Ok(()), _)) => Err(format!("it took longer than {RETRIEVER_TIMEOUT:?}")),
        Either::Right((Err(NoTimer), _)) => {
            Err("there is no tokio runtime with a timer to wait in".to_owned())
        }
    }
}

fn panicked(panicked: Panicked) -> String {
    format!("it panicked: {panicked}")
}

/// Those names among the tools, which are sorted, each once.
fn usable(names: Vec<String>, tools: &[ToolDefinition], limit: usize) -> Vec<String> {
    let place = |name: &str| tools.binary_search_by(|tool| tool.name().cmp(name)).ok();
    let mut seen = HashSet::new();
    let mut is_new = |name: &String| place(name).is_some_and(|place| seen.insert(place));
    let usable = names.into_iter().filter(|name| is_new(name));
    usable.take(limit).collect()
}
