//! Which tools have which terms, and what that is worth.

use super::fields::{Field, fields};
use super::tokenize::terms;
use crate::tool::Tool;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// How fast a term that a tool has often stops to count for more (BM25's k1).
const SATURATION: f32 = 1.2;

/// How much a tool gains whose whole name is in the query.
const NAME_COVERAGE: f32 = 0.3;

/// How much the best clause of a query counts beside the whole.
const CLAUSE: f32 = 0.5;

/// How much of a query is looked at, in bytes.
const MAX_QUERY_BYTES: usize = 8_000;

/// The most different terms of a query that count, and the most clauses.
const MAX_TERMS: usize = 256;
const MAX_CLAUSES: usize = 16;

/// The tools of a registry by their terms. Building one is linear in the text of the tools; a query
/// reads the postings of its terms.
pub(crate) struct Index {
    terms: HashMap<Box<str>, u32, RandomState>,
    /// By term.
    entries: Vec<Entry>,
    /// The terms of each tool's name.
    names: Vec<Vec<u32>>,
}

#[derive(Default)]
struct Entry {
    /// How much the term tells (its inverse document frequency).
    rarity: f32,
    postings: Vec<Posting>,
}

/// That a tool has a term, and how much of it.
struct Posting {
    tool: u32,
    weight: f32,
}

/// The terms of one tool, by field.
type Terms = Vec<(Field, u32)>;

impl Index {
    pub(crate) fn new(tools: &[Arc<dyn Tool>]) -> Self {
        let mut ids = HashMap::with_hasher(RandomState::default());
        let all: Vec<Terms> = tools.iter().map(|tool| terms_of(tool, &mut ids)).collect();
        let average = average_lengths(&all);
        let mut entries: Vec<Entry> = ids.iter().map(|_| Entry::default()).collect();
        for (tool, terms) in (0..).zip(&all) {
            for (term, weight) in weights(terms, &average) {
                entries[term as usize]
                    .postings
                    .push(Posting { tool, weight });
            }
        }
        for entry in &mut entries {
            entry.rarity = rarity(entry.postings.len(), tools.len());
        }
        let names = all.iter().map(name_of).collect();
        Self {
            terms: ids,
            entries,
            names,
        }
    }

    /// The places of the tools that fit best, best first, of those that `is_seen`; of equal ones the
    /// first in the order of the index.
    ///
    /// Of a query the first 8,000 bytes count, of those 256 different terms, and 16 clauses. A query
    /// without a word finds nothing.
    pub(crate) fn search(
        &self,
        query: &str,
        limit: usize,
        is_seen: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let query = cut(query);
        let mut scores = self.scores(query);
        let clauses: Vec<&str> = clauses(query).take(MAX_CLAUSES).collect();
        if clauses.len() > 1 {
            let clauses: Vec<Vec<f32>> = clauses.iter().map(|clause| self.scores(clause)).collect();
            for (tool, score) in scores.iter_mut().enumerate() {
                let best = clauses
                    .iter()
                    .map(|scores| scores[tool])
                    .fold(0.0, f32::max);
                *score += CLAUSE * best;
            }
        }
        let mut found: Vec<usize> = (0..scores.len())
            .filter(|&tool| scores[tool] > 0.0)
            .collect();
        found.sort_by(|&left, &right| {
            scores[right]
                .total_cmp(&scores[left])
                .then(left.cmp(&right))
        });
        found
            .into_iter()
            .filter(|&tool| is_seen(tool))
            .take(limit)
            .collect()
    }

    /// How well each tool fits a text.
    fn scores(&self, text: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.names.len()];
        let terms = self.known(text);
        for entry in terms.iter().map(|&term| &self.entries[term as usize]) {
            for Posting { tool, weight } in &entry.postings {
                scores[*tool as usize] += entry.rarity * weight;
            }
        }
        for (score, name) in scores.iter_mut().zip(&self.names) {
            if *score > 0.0 {
                *score *= 1.0 + NAME_COVERAGE * self.coverage(name, &terms);
            }
        }
        scores
    }

    /// The terms of a text that any tool has, each once, sorted.
    fn known(&self, text: &str) -> Vec<u32> {
        let mut known = Vec::new();
        terms(text, |term| {
            if let Some(&term) = self.terms.get(term)
                && known.len() < MAX_TERMS
                && !known.contains(&term)
            {
                known.push(term);
            }
        });
        known.sort_unstable();
        known
    }

    /// How much of a name is among the terms, between 0 and 1.
    fn coverage(&self, name: &[u32], terms: &[u32]) -> f32 {
        let rarity = |term: &u32| self.entries[*term as usize].rarity;
        let all: f32 = name.iter().map(rarity).sum();
        let there = name.iter().filter(|term| terms.binary_search(term).is_ok());
        match all > 0.0 {
            true => there.map(rarity).sum::<f32>() / all,
            false => 0.0,
        }
    }
}

fn terms_of(tool: &Arc<dyn Tool>, ids: &mut HashMap<Box<str>, u32, RandomState>) -> Terms {
    let mut own = Vec::new();
    fields(tool.definition(), |field, term| {
        let id = match ids.get(term) {
            Some(id) => *id,
            None => {
                let id = u32::try_from(ids.len()).unwrap_or(u32::MAX);
                ids.insert(term.into(), id);
                id
            }
        };
        own.push((field, id));
    });
    own
}

fn lengths(terms: &Terms) -> [f32; Field::COUNT] {
    let mut lengths = [0.0; Field::COUNT];
    for (field, _) in terms {
        lengths[*field as usize] += 1.0;
    }
    lengths
}

fn average_lengths(all: &[Terms]) -> [f32; Field::COUNT] {
    let mut average = [0.0; Field::COUNT];
    for length in all.iter().map(lengths) {
        for (sum, length) in average.iter_mut().zip(length) {
            *sum += length;
        }
    }
    average.map(|sum| (sum / all.len() as f32).max(1.0))
}

/// What each term of a tool is worth, before how rare it is.
fn weights(terms: &Terms, average: &[f32; Field::COUNT]) -> Vec<(u32, f32)> {
    let lengths = lengths(terms);
    let mut weights: Vec<(u32, f32)> = terms
        .iter()
        .map(|&(field, term)| {
            let length = lengths[field as usize] / average[field as usize];
            let dilution = field.dilution();
            (term, field.weight() / (1.0 - dilution + dilution * length))
        })
        .collect();
    weights.sort_by_key(|(term, _)| *term);
    let each = weights.chunk_by(|left, right| left.0 == right.0);
    each.map(|same| {
        let sum: f32 = same.iter().map(|(_, weight)| weight).sum();
        (same[0].0, sum / (SATURATION + sum))
    })
    .collect()
}

fn rarity(with: usize, all: usize) -> f32 {
    let (with, all) = (with as f32, all as f32);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

fn name_of(terms: &Terms) -> Vec<u32> {
    let name = terms.iter().filter(|(field, _)| *field == Field::Name);
    let mut name: Vec<u32> = name.map(|(_, term)| *term).collect();
    name.sort_unstable();
    name.dedup();
    name
}

fn cut(query: &str) -> &str {
    &query[..query.floor_char_boundary(MAX_QUERY_BYTES)]
}

/// What is looked at of a query, if there is a word in it.
pub(crate) fn with_words(query: &str) -> Option<&str> {
    let query = cut(query);
    let mut has_words = false;
    terms(query, |_| has_words = true);
    has_words.then_some(query)
}

/// What a query asks for one after the other.
fn clauses(query: &str) -> impl Iterator<Item = &str> {
    let is_end = |letter: char| {
        matches!(
            letter,
            ',' | '.' | ';' | ':' | '?' | '!' | '\n' | '，' | '。' | '；' | '？' | '！' | '、'
        )
    };
    let parts = query.split(is_end).flat_map(|part| part.split(" and "));
    let parts = parts
        .flat_map(|part| part.split(" then "))
        .flat_map(|part| part.split('并'));
    parts.filter(|part| !part.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::Index;
    use crate::definition::ToolDefinition;
    use crate::fn_tool::FnTool;
    use crate::tool::Tool;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn tool(definition: ToolDefinition) -> Arc<dyn Tool> {
        Arc::new(FnTool::new(definition, |_: Value, _| async {}))
    }

    fn tools() -> Vec<Arc<dyn Tool>> {
        let city = json!({"type": "object", "properties": {
            "municipality": {"type": "string", "description": "Where, for instance Lisbon"},
        }});
        vec![
            tool(ToolDefinition::new(
                "calendar_create_event",
                "Enters a meeting",
            )),
            tool(ToolDefinition::new(
                "fileDelete",
                "Removes a document for good",
            )),
            tool(ToolDefinition::new("forecast", "Tells the weather").arguments_schema(city)),
            tool(
                ToolDefinition::new("mail__send", "Writes to people").with_keywords(["newsletter"]),
            ),
            tool(ToolDefinition::new("tianqi", "查询指定城市的天气")),
        ]
    }

    fn found(query: &str) -> Vec<usize> {
        Index::new(&tools()).search(query, 3, |_| true)
    }

    #[test]
    fn every_field_is_searched() {
        let first = |query: &str| found(query).first().copied();
        for (query, tool) in [
            ("create an event", 0),
            ("delete files", 1),
            ("documents", 1),
            ("what is the weather like", 2),
            ("municipality", 2),
            ("Lisbon", 2),
            ("mail", 3),
            ("sending", 3),
            ("newsletter", 3),
            ("北京的天气怎么样", 4),
            ("ＦＩＬＥ delete", 1),
        ] {
            assert_eq!(first(query), Some(tool), "{query}");
        }
    }

    #[test]
    fn anything_may_be_a_query() {
        let long = "weather ".repeat(20_000);
        let odd = "\u{1f600}\u{301}\u{200d} [.*+?(\\ $^{}|";
        for query in [
            "",
            " ",
            "the of and",
            "?!.,;",
            "😀",
            odd,
            "\0\u{7f}",
            "(",
            "并并,,",
        ] {
            assert_eq!(found(query), Vec::<usize>::new(), "{query:?}");
        }
        assert_eq!(found(&long), [2]);
        assert_eq!(found(&"天".repeat(40_000)), [4]);
    }

    #[test]
    fn what_is_not_seen_is_not_found_and_the_limit_holds() {
        let index = Index::new(&tools());
        let query = "weather, mail, file, event, 天气";
        assert_eq!(index.search(query, 10_000, |_| true).len(), 5);
        assert_eq!(index.search(query, 0, |_| true), Vec::<usize>::new());
        assert_eq!(index.search(query, 1, |_| true).len(), 1);
        assert!(!index.search(query, 5, |tool| tool != 2).contains(&2));
        assert_eq!(
            Index::new(&[]).search(query, 5, |_| true),
            Vec::<usize>::new()
        );
    }
}
