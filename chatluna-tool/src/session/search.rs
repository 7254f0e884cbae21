//! Finding the tools of a session by words.

use super::Session;
use super::view::View;
use crate::__private::blocking;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::output::ToolOutput;
use crate::search::best;
use crate::tool::Tool;
use std::sync::Arc;

/// What asks for tools by their names.
const SELECT: &str = "select:";

/// From how many tools on the index is made on a thread of its own: it takes milliseconds.
const MANY: usize = 200;

/// What a query has found, best first.
pub(crate) struct Ranking {
    pub(crate) query: String,
    pub(crate) names: Vec<String>,
    /// The names after `select:` that no tool has which the session sees.
    pub(crate) unknown: Vec<String>,
}

impl Ranking {
    /// Whether the query names its tools.
    pub(super) fn is_selection(&self) -> bool {
        self.query.trim().starts_with(SELECT)
    }
}

impl Session {
    /// The tools that fit a query best, best first: of those that the session sees and whose calls
    /// its policy does not refuse. It loads none; that the model does, with `tool_search`.
    ///
    /// A query names one capability, such as `send an email`, in the language in which the tools are
    /// described; its first 8,000 bytes count. Nothing fits a query without a word in it.
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
    /// # fn main() -> Result<(), chatluna_tool::BuildError> {
    /// let runtime = Runtime::builder().tools(tools![forecast, mail]).build()?;
    /// let session = runtime.session(SessionInfo::new("s"));
    /// let found = session.search("what is the weather in Lisbon?", 5);
    /// assert_eq!(found[0].name(), "forecast");
    /// # Ok(())
    /// # }
    /// ```
    pub fn search(&self, query: &str, limit: usize) -> Vec<ToolDefinition> {
        let view = self.view();
        let names = view.ranking(query, limit).names;
        let tools = names.iter().filter_map(|name| view.findable(name));
        tools.map(|tool| tool.definition().clone()).collect()
    }

    /// What each query finds; the first search of many tools makes their index.
    pub(crate) async fn rankings(
        &self,
        call: &CallContext,
        queries: Vec<String>,
        limit: usize,
    ) -> Result<Vec<Ranking>, ToolError> {
        let is_slow = {
            let view = self.view();
            let registry = view.registry();
            let is_made = registry.is_indexed() || registry.tools().len() < MANY;
            !is_made || self.0.runtime.learned_examples().is_slow()
        };
        if is_slow {
            let session = self.clone();
            let index = move |_: &CallContext| {
                session.view().registry().search_index();
                session.0.runtime.learned_examples().make_index();
                Ok(ToolOutput::text(""))
            };
            blocking(call.clone(), index).await?;
        }
        let view = self.view();
        let queries = queries.into_iter();
        let rankings: Vec<Ranking> = queries.map(|query| view.ranking(&query, limit)).collect();
        self.note_search(&rankings);
        Ok(rankings)
    }
}

impl View<'_> {
    fn ranking(&self, query: &str, limit: usize) -> Ranking {
        let mut ranking = Ranking {
            query: query.to_owned(),
            names: Vec::new(),
            unknown: Vec::new(),
        };
        match query.trim().strip_prefix(SELECT) {
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

    /// Nothing is found that would be refused.
    fn is_findable(&self, tool: &Arc<dyn Tool>) -> bool {
        self.sees(tool) && !self.session.would_refuse(tool.definition())
    }
}
