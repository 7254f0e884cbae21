//! Finding the tools of a session by words.

use super::Session;
use super::view::View;
use crate::definition::ToolDefinition;
use crate::search::{MANY_TOOLS, best};
use crate::tool::Tool;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

/// What asks for tools by their names.
const SELECT: &str = "select:";

/// The names that a query asks for, if it does that.
pub(super) fn selected(query: &str) -> Option<&str> {
    query.trim().strip_prefix(SELECT)
}

/// What a query has found, best first.
pub(crate) struct Ranking {
    pub(crate) query: String,
    pub(crate) names: Vec<String>,
    /// The names after `select:` that no tool has which the session sees.
    pub(crate) unknown: Vec<String>,
}

impl Session {
    /// The tools that fit a query best, best first: of those that the session sees and whose calls
    /// its policy does not refuse. It finds what `tool_search` finds, but loads none.
    ///
    /// A query names one capability, such as `send an email`, in the language in which the tools are
    /// described; its first 8,000 bytes count. Nothing fits a query without a word in it.
    ///
    /// Where no [`Retriever`](crate::Retriever) is given it needs no tokio runtime. In one, the first
    /// search of many tools makes their index on a thread of its own.
    ///
    /// ```
    /// use chatluna_tool::{Runtime, SessionInfo, tool, tools};
    ///
    /// /// Tells the weather of a city
    /// #[tool(traits(effect = "read"))]
    /// async fn forecast(city: &str) {}
    ///
    /// /// Sends a message
    /// #[tool(traits(effect = "read"))]
    /// async fn mail(text: &str) {}
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), chatluna_tool::BuildError> {
    /// let runtime = Runtime::builder().tools(tools![forecast, mail]).build()?;
    /// let session = runtime.session(SessionInfo::new("s"));
    /// let found = session.search("what is the weather in Lisbon?", 5).await;
    /// assert_eq!(found[0].name(), "forecast");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn search(&self, query: &str, limit: usize) -> Vec<ToolDefinition> {
        let rankings = self.rankings(vec![query.to_owned()], limit).await;
        let view = self.view();
        let names = rankings.iter().flat_map(|ranking| &ranking.names);
        let tools = names.filter_map(|name| view.findable(name));
        tools.map(|tool| tool.definition().clone()).collect()
    }

    /// What each query finds.
    pub(crate) async fn rankings(&self, queries: Vec<String>, limit: usize) -> Vec<Ranking> {
        self.index().await;
        if !self.retrievers().is_empty() {
            return self.retrieved(queries, limit).await;
        }
        let view = self.view();
        let queries = queries.iter();
        queries.map(|query| view.ranking(query, limit)).collect()
    }

    /// Makes the index of many tools, if there is none and a thread to do it.
    async fn index(&self) {
        let registry = Arc::clone(self.view().registry());
        let runtime = self.0.runtime.clone();
        let is_made = registry.is_indexed() || registry.tools().len() < MANY_TOOLS;
        let is_slow = !is_made || runtime.learned_examples().is_slow();
        if is_slow && Handle::try_current().is_ok() {
            let index = move || {
                registry.search_index();
                runtime.learned_examples().make_index();
            };
            // Where that comes to nothing the search makes it.
            let _ = spawn_blocking(index).await;
        }
    }
}

impl View<'_> {
    /// What a query finds by words, or by names.
    pub(super) fn ranking(&self, query: &str, limit: usize) -> Ranking {
        let mut ranking = Ranking {
            query: query.to_owned(),
            names: Vec::new(),
            unknown: Vec::new(),
        };
        match selected(query) {
            Some(names) => self.select(names, &mut ranking),
            None => ranking.names = self.ranked(query, limit),
        }
        ranking
    }

    /// The tools that are named, in that order.
    fn select(&self, names: &str, ranking: &mut Ranking) {
        let names = names
            .split([',', ' ', '\n'])
            .filter(|name| !name.is_empty());
        for name in names {
            match self.findable(name) {
                Some(_) => ranking.names.push(name.to_owned()),
                None => ranking.unknown.push(name.to_owned()),
            }
        }
    }

    /// A tool of the name that is the whole query first, then those that fit best.
    fn ranked(&self, query: &str, limit: usize) -> Vec<String> {
        let registry = self.registry();
        let tools = registry.tools();
        let is_seen = |tool: usize| self.is_findable(&tools[tool]);
        let mut scores = registry.search_index().fits(query);
        let learned = self.session.0.runtime.learned_examples();
        learned.raise(&mut scores, query, registry);
        let found = best(&scores, limit, is_seen)
            .into_iter()
            .map(|tool| tools[tool].definition().name());
        let named = self.findable(query.trim());
        let named = named.map(|tool| tool.definition().name());
        let rest = found.filter(|name| Some(*name) != named);
        named
            .into_iter()
            .chain(rest)
            .take(limit)
            .map(str::to_owned)
            .collect()
    }

    /// The tool of this name, if a search may bring it.
    pub(crate) fn findable(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let tool = self.registry().get(name);
        tool.filter(|tool| self.is_findable(tool))
    }

    /// All that a search may bring, sorted by name.
    pub(super) fn all_findable(&self) -> Vec<ToolDefinition> {
        let tools = self.registry().tools().iter();
        let findable = tools.filter(|tool| self.is_findable(tool));
        findable.map(|tool| tool.definition().clone()).collect()
    }

    /// Nothing is found that would be refused.
    fn is_findable(&self, tool: &Arc<dyn Tool>) -> bool {
        self.sees(tool) && !self.session.would_refuse(tool.definition())
    }
}
