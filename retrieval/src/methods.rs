//! Ways to rank tools that others go, to compare with.

use crate::corpus::Tool;
use std::collections::HashMap;

/// From a query and a limit to the places of the tools that fit best, best first.
pub type Search = Box<dyn Fn(&str, usize) -> Vec<usize>>;

/// Ranks the tools of a corpus.
pub struct Method {
    pub name: &'static str,
    pub search: Search,
    /// What is known of ours alone.
    pub built: Option<Built>,
}

/// What it costs to be able to search.
pub struct Built {
    pub milliseconds: f64,
    pub mebibytes: f64,
    /// Of the definition of each tool.
    pub tokens: Vec<usize>,
    /// Of what a model is sent while it has found nothing.
    pub tokens_resident: usize,
}

/// A pattern of every word of the query from four letters on: the more of them are in the name, the
/// description and the parameters, the better.
pub fn any_word(tools: &[Tool]) -> Method {
    let text = |tool: &Tool| {
        let Tool {
            name,
            description,
            parameters,
        } = tool;
        format!("{name} {description} {parameters}").to_lowercase()
    };
    let texts: Vec<String> = tools.iter().map(text).collect();
    let search = move |query: &str, limit: usize| {
        let mut words = words(query);
        words.retain(|word| word.len() > 3);
        words.sort();
        words.dedup();
        let score =
            |text: &String| words.iter().filter(|word| text.contains(&**word)).count() as f64;
        best(texts.iter().map(score), limit)
    };
    Method {
        name: "regex, any word",
        search: Box::new(search),
        built: None,
    }
}

/// BM25 with the usual parameters over the words of the name, which stays whole, and the description.
pub fn plain_bm25(tools: &[Tool]) -> Method {
    let text = |tool: &Tool| words(&format!("{} {}", tool.name, tool.description));
    let texts: Vec<Counts> = tools.iter().map(|tool| counts(text(tool))).collect();
    let having = counts(texts.iter().flat_map(|text| text.keys().cloned()));
    let length = |text: &Counts| text.values().sum::<f64>();
    let all = texts.len() as f64;
    let average = texts.iter().map(length).sum::<f64>() / all;
    let search = move |query: &str, limit: usize| {
        let words = words(query);
        let score = |text: &Counts| {
            let length = 1.2 * (0.25 + 0.75 * length(text) / average);
            let of = |word: &String| {
                let count = text.get(word)?;
                let having = having.get(word)?;
                let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
                Some(rarity * count * 2.2 / (count + length))
            };
            words.iter().filter_map(of).sum()
        };
        best(texts.iter().map(score), limit)
    };
    Method {
        name: "plain BM25",
        search: Box::new(search),
        built: None,
    }
}

/// How often there is each word.
type Counts = HashMap<String, f64>;

fn counts(words: impl IntoIterator<Item = String>) -> Counts {
    let mut counts = Counts::new();
    for word in words {
        *counts.entry(word).or_default() += 1.0;
    }
    counts
}

/// In lower case; what is no letter, digit or `_` divides them.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The places of the highest scores above nought; of equal ones the first.
fn best(scores: impl Iterator<Item = f64>, limit: usize) -> Vec<usize> {
    let scores = (0..).zip(scores).filter(|(_, score)| *score > 0.0);
    let mut scores: Vec<(usize, f64)> = scores.collect();
    scores.sort_by(|left, right| right.1.total_cmp(&left.1));
    scores
        .into_iter()
        .take(limit)
        .map(|(place, _)| place)
        .collect()
}
