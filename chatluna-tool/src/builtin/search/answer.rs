//! What a model reads of a search: what it can call now, and why there is nothing.

use super::summary::spoken;
use crate::definition::ToolDefinition;
use crate::nearest::nearest;
use crate::output::{ToolOutput, picture_controls};
use crate::search::{language_of, languages};
use crate::session::{Ranking, Session, View};
use crate::tool::Tool;
use serde_json::json;
use std::fmt;
use std::sync::Arc;

/// The most tools that one search loads.
const MAX_LOADED: usize = 30;

/// The most bytes of definitions in one answer; those of the tools behind are in the next request all
/// the same.
const MAX_BYTES: usize = 40 << 10;

/// The most characters of a query that are repeated.
const MAX_QUERY: usize = 80;

/// The most names that are offered where nothing is found.
const MAX_NAMES: usize = 10;

/// A definition as a model reads it.
pub(crate) fn written(definition: &ToolDefinition) -> String {
    json!({
        "name": definition.name(),
        "description": definition.description(),
        "parameters": definition.parameters(),
    })
    .to_string()
}

/// An answer to a search, put together.
pub(super) struct Answer {
    loaded: Vec<ToolDefinition>,
    /// The names of tools that were found and that the model had already.
    known: Vec<String>,
    notes: Vec<String>,
}

impl Answer {
    /// Loads what was found.
    pub(super) fn new(session: &Session, rankings: &[Ranking]) -> Self {
        let view = session.view();
        let mut answer = Self {
            loaded: Vec::new(),
            known: Vec::new(),
            notes: Vec::new(),
        };
        for name in interleaved(rankings) {
            if let Some(tool) = view.findable(name) {
                answer.add(&view, tool);
            }
        }
        for ranking in rankings {
            answer.explain(&view, ranking);
        }
        if rankings.is_empty() {
            answer.note("write what you need into `queries`");
        }
        answer
    }

    fn add(&mut self, view: &View<'_>, tool: &Arc<dyn Tool>) {
        let definition = tool.definition();
        let name = definition.name();
        if view.is_told(tool) {
            self.known.push(name.to_owned());
        } else if self.loaded.len() < MAX_LOADED {
            view.load(name);
            self.loaded.push(definition.clone());
        }
    }

    pub(super) fn note(&mut self, note: impl fmt::Display) {
        self.notes.push(note.to_string());
    }

    /// Says why a query has found nothing, and what comes near.
    fn explain(&mut self, view: &View<'_>, ranking: &Ranking) {
        for name in &ranking.unknown {
            let tools = view.program().map(|tool| tool.definition().name());
            let near = nearest(name, tools);
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            self.note(format_args!("no tool is named `{}`{near}", shown(name)));
        }
        let is_found = ranking
            .names
            .iter()
            .any(|name| view.findable(name).is_some());
        if !is_found && ranking.unknown.is_empty() {
            self.note(nothing(view, &ranking.query));
        }
    }

    pub(super) fn output(self) -> ToolOutput {
        let mut lines = Vec::new();
        let names: Vec<&str> = self.loaded.iter().map(ToolDefinition::name).collect();
        match names.len() {
            0 => {}
            1 => lines.push(format!("`{}` can be called from now on:", names[0])),
            count => lines.push(format!("{count} tools can be called from now on:")),
        }
        let mut bytes = 0;
        for definition in &self.loaded {
            let text = written(definition);
            bytes += text.len();
            lines.push(match bytes {
                ..=MAX_BYTES => text,
                _ => format!("{}: its definition comes with the tools", definition.name()),
            });
        }
        if !self.known.is_empty() {
            lines.push(format!("you have already: {}", self.known.join(", ")));
        }
        let structured = json!({"loaded": names, "known": self.known, "notes": self.notes});
        lines.extend(self.notes);
        ToolOutput::text(lines.join("\n")).with_structured(structured)
    }
}

/// The best of each query, then the second of each, and so on; each name once.
fn interleaved(rankings: &[Ranking]) -> Vec<&str> {
    let longest = rankings.iter().map(|ranking| ranking.names.len()).max();
    let ranks = 0..longest.unwrap_or(0);
    let all = ranks.flat_map(|rank| rankings.iter().filter_map(move |it| it.names.get(rank)));
    let mut names: Vec<&str> = Vec::new();
    for name in all {
        if !names.contains(&&**name) {
            names.push(name);
        }
    }
    names
}

/// Why a query has found nothing.
fn nothing(view: &View<'_>, query: &str) -> String {
    let tools: Vec<&ToolDefinition> = view.program().map(|tool| tool.definition()).collect();
    if tools.is_empty() {
        return "there are no tools to find".to_owned();
    }
    if query.trim().is_empty() {
        return "a query is empty; write what you need".to_owned();
    }
    let names = || tools.iter().map(|tool| tool.name());
    let near = match nearest(query, names()) {
        Some(near) => format!("; the nearest is `{near}`"),
        None => {
            let some: Vec<&str> = names().take(MAX_NAMES).collect();
            let more = if tools.len() > some.len() {
                " and others"
            } else {
                ""
            };
            format!("; there are {}{more}", some.join(", "))
        }
    };
    let languages = languages(tools.iter().map(|tool| tool.description()));
    let is_foreign = language_of(query).is_some_and(|own| !languages.contains(&own));
    let hint = match spoken(&languages).filter(|_| is_foreign) {
        Some(languages) => format!(": the tools are described in {languages}, so write it in that"),
        None => ": try other words, one capability a query".to_owned(),
    };
    format!("nothing was found for `{}`{hint}{near}", shown(query))
}

fn shown(text: &str) -> String {
    let cut: String = text.trim().chars().take(MAX_QUERY).collect();
    let more = if cut.len() < text.trim().len() {
        "…"
    } else {
        ""
    };
    format!("{}{more}", picture_controls(cut.into()))
}
