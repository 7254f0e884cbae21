//! Which tools have which terms, and what that is worth.

use super::fields::{Field, Terms, terms_of};
use super::lists::Lists;
use super::query::{clauses, cut};
use super::vocabulary::{Vocabulary, Wanted};
use super::weights::{average_lengths, rarity, weights};
use crate::tool::Tool;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// How much a tool gains whose whole name is in the query.
const NAME_COVERAGE: f32 = 0.15;

/// How much the best clause of a query counts beside the whole.
const CLAUSE: f32 = 0.4;

/// How many words a clause has at least: fewer are an item of a list, or a name.
const CLAUSE_WORDS: usize = 3;

/// The most words of a query that count, and the most clauses.
const MAX_WORDS: usize = 256;
const MAX_CLAUSES: usize = 16;

/// From how many tools on it takes milliseconds to make an index.
pub(crate) const MANY_TOOLS: usize = 200;

/// The tools of a registry by their terms. Building one is linear in the text of the tools; a query
/// reads the postings of its terms.
pub(crate) struct Index {
    vocabulary: Vocabulary,
    /// How much each term tells (its inverse document frequency).
    rarity: Vec<f32>,
    postings: Lists<Posting>,
    /// The tools that have a term in their name.
    named: Lists<u32>,
    /// By tool: how much its whole name tells.
    names: Vec<f32>,
}

/// That a tool has a term, and how much of it.
#[derive(Clone, Copy, Default)]
struct Posting {
    tool: u32,
    weight: f32,
}

impl Index {
    pub(crate) fn new(tools: &[Arc<dyn Tool>]) -> Self {
        let mut vocabulary = Vocabulary::default();
        let read = |tool: &Arc<dyn Tool>| terms_of(tool.definition(), &mut vocabulary);
        let all: Vec<Terms> = tools.iter().map(read).collect();
        Self::of(vocabulary, &all)
    }

    /// Of the terms of each tool.
    pub(super) fn of(vocabulary: Vocabulary, all: &[Terms]) -> Self {
        let average = average_lengths(all);
        let (mut postings, mut named) = (Vec::new(), Vec::new());
        for (tool, terms) in (0..).zip(all) {
            let weights = weights(terms, &average);
            postings.extend(weights.map(|(term, weight)| (term, Posting { tool, weight })));
            named.extend(name_of(terms).map(|term| (term, tool)));
        }
        let postings = Lists::new(vocabulary.len(), &postings);
        let rarity = |term| rarity(postings.of(term).len(), all.len());
        let rarity: Vec<f32> = (0..).take(vocabulary.len()).map(rarity).collect();
        let mut names = vec![0.0; all.len()];
        for (term, tool) in &named {
            names[*tool as usize] += rarity[*term as usize];
        }
        Self {
            named: Lists::new(vocabulary.len(), &named),
            vocabulary,
            rarity,
            postings,
            names,
        }
    }

    /// How well each tool fits a query, by its place; nought is not at all.
    ///
    /// Of a query the first 8,000 bytes count, of those 256 words, and 16 clauses. Nothing fits a query
    /// without a word.
    pub(crate) fn fits(&self, query: &str) -> Vec<f32> {
        let query = cut(query);
        let mut scores = self.scores(&self.wanted(query));
        let clauses = self.clauses(query);
        if clauses.len() > 1 {
            let best = clauses.iter().map(|wanted| self.scores(wanted));
            let best = best.reduce(higher).unwrap_or_default();
            for (score, best) in scores.iter_mut().zip(best) {
                *score += CLAUSE * best;
            }
        }
        scores
    }

    fn wanted(&self, text: &str) -> Vec<Wanted> {
        self.vocabulary.wanted(text, MAX_WORDS)
    }

    /// What the clauses of a query look for that are requests of their own.
    fn clauses(&self, query: &str) -> Vec<Vec<Wanted>> {
        let words = |wanted: &Vec<Wanted>| wanted.iter().filter(|wanted| wanted.is_word).count();
        clauses(query)
            .take(MAX_CLAUSES)
            .map(|clause| self.wanted(clause))
            .filter(|wanted| words(wanted) >= CLAUSE_WORDS)
            .collect()
    }

    /// How well each tool fits.
    fn scores(&self, wanted: &[Wanted]) -> Vec<f32> {
        let mut scores = vec![0.0; self.names.len()];
        let mut covered = scores.clone();
        for Wanted {
            term,
            weight,
            is_word,
        } in wanted
        {
            let rarity = self.rarity[*term as usize];
            let worth = rarity * weight;
            for posting in self.postings.of(*term) {
                scores[posting.tool as usize] += worth * posting.weight;
            }
            for tool in self.named.of(*term).iter().filter(|_| *is_word) {
                covered[*tool as usize] += rarity;
            }
        }
        for ((score, covered), name) in scores.iter_mut().zip(covered).zip(&self.names) {
            if covered > 0.0 {
                *score *= 1.0 + NAME_COVERAGE * covered / name;
            }
        }
        scores
    }
}

/// The places of the best scores above nought, best first, of those that `is_seen`; of equal ones the
/// first.
pub(crate) fn best(scores: &[f32], limit: usize, is_seen: impl Fn(usize) -> bool) -> Vec<usize> {
    let found = (0..).zip(scores).filter(|(_, score)| **score > 0.0);
    // The bits of floats above nought are in their order.
    let found = found.map(|(tool, score)| (score.to_bits(), Reverse(tool)));
    let mut found: BinaryHeap<(u32, Reverse<usize>)> = found.collect();
    let best = std::iter::from_fn(|| found.pop());
    best.map(|(_, Reverse(tool))| tool)
        .filter(|&tool| is_seen(tool))
        .take(limit)
        .collect()
}

fn higher(mut left: Vec<f32>, right: Vec<f32>) -> Vec<f32> {
    for (left, right) in left.iter_mut().zip(right) {
        *left = left.max(right);
    }
    left
}

/// The different stems of a tool's name.
fn name_of(terms: &Terms) -> impl Iterator<Item = u32> {
    let name = terms
        .iter()
        .filter(|term| term.field == Field::Name && term.form.is_stem());
    let mut name: Vec<u32> = name.map(|term| term.term).collect();
    name.sort_unstable();
    name.dedup();
    name.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{Index, best};
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
        best(&Index::new(&tools()).fits(query), 3, |_| true)
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
        let scores = Index::new(&tools()).fits("weather, mail, file, event, 天气");
        assert_eq!(best(&scores, 10_000, |_| true).len(), 5);
        assert_eq!(best(&scores, 0, |_| true), Vec::<usize>::new());
        assert_eq!(best(&scores, 1, |_| true).len(), 1);
        assert!(!best(&scores, 5, |tool| tool != 2).contains(&2));
        assert!(Index::new(&[]).fits("weather").is_empty());
    }

    /// The names of what a query finds among tools of these names and descriptions.
    fn among<'tool>(tools: &[(&'tool str, &'tool str)], query: &str) -> Vec<&'tool str> {
        let all: Vec<Arc<dyn Tool>> = tools
            .iter()
            .map(|(name, text)| tool(ToolDefinition::new(name, (*text).to_owned())))
            .collect();
        let found = best(&Index::new(&all).fits(query), 10, |_| true);
        found.into_iter().map(|tool| tools[tool].0).collect()
    }

    #[test]
    fn a_word_as_it_is_written_goes_before_its_other_forms() {
        let tools = [("alpha", "Plans routes"), ("beta", "Planned routes")];
        assert_eq!(among(&tools, "planned"), ["beta", "alpha"]);
    }

    #[test]
    fn words_that_stand_together_count_for_more() {
        let tools = [
            ("alpha", "The price of goods in stock"),
            ("beta", "Goods: the stock price"),
        ];
        assert_eq!(among(&tools, "stock price"), ["beta", "alpha"]);
        assert_eq!(among(&tools, "price"), ["alpha", "beta"]);
    }

    #[test]
    fn what_every_request_says_counts_for_less() {
        let tools = [("alpha", "Finds coins"), ("beta", "Polishes lamps")];
        assert_eq!(among(&tools, "find me lamps"), ["beta", "alpha"]);
    }

    #[test]
    fn what_means_the_same_is_found_behind_what_is_said() {
        let tools = [
            ("alpha", "Buys bread"),
            ("beta", "Purchases bread"),
            ("gamma", "Tells the weather"),
        ];
        assert_eq!(among(&tools, "purchase"), ["beta", "alpha"]);
        assert_eq!(among(&tools, "buy"), ["alpha", "beta"]);
        assert_eq!(among(&tools, "will it rain?"), ["gamma"]);
    }

    #[test]
    fn a_tool_that_fits_one_clause_goes_before_one_that_fits_a_little_of_each() {
        let tools = [
            ("alpha", "Copper lemon walnut"),
            ("beta", "Silver golden platinum"),
            ("gamma", "Orange melon almond cashew"),
        ];
        let query = "platinum golden copper silver. Melon lemon orange. Cashew walnut almond.";
        assert_eq!(among(&tools, query), ["gamma", "beta", "alpha"]);
    }

    #[test]
    fn items_of_a_list_are_no_clauses() {
        let index = Index::new(&tools());
        let query = "weather, mail, removes a document for good, meeting, writes to people";
        assert_eq!(index.clauses(query).len(), 1);
    }
}
