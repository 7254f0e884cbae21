//! The terms of a catalogue: what its words are searched by.

use super::related::related;
use super::stem::stemmed;
use super::stop_words::is_of_requests;
use super::tokenize::words;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// What a term is of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The stem of a word.
    Stem,
    /// The stem of a word that requests for anything have.
    OfRequests,
    /// An English word as it is written: stems make some words one that are not.
    Exact,
    /// The stems of two words, one after the other.
    Pair,
}

impl Form {
    /// How much a term of a query counts, one of its words being one.
    fn weight(self) -> f32 {
        match self {
            Self::Stem | Self::OfRequests => 1.0,
            Self::Exact => 0.15,
            Self::Pair => 0.4,
        }
    }

    pub(super) fn is_stem(self) -> bool {
        matches!(self, Self::Stem | Self::OfRequests)
    }
}

/// A term that a query looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) term: u32,
    pub(super) weight: f32,
    /// Whether it is the stem of a word of the query.
    pub(super) is_word: bool,
}

#[derive(Clone, Copy)]
struct Word {
    stem: u32,
    form: Form,
    exact: Option<u32>,
}

#[derive(Default)]
pub(super) struct Vocabulary {
    words: HashMap<Box<str>, Word, RandomState>,
    stems: HashMap<Box<str>, u32, RandomState>,
    pairs: HashMap<(u32, u32), u32, RandomState>,
    /// How many there are of all three.
    terms: u32,
}

impl Vocabulary {
    pub(super) fn len(&self) -> usize {
        self.terms as usize
    }

    /// Calls `each` with every term of a text of the catalogue.
    pub(super) fn read(&mut self, text: &str, mut each: impl FnMut(u32, Form)) {
        let mut last = None;
        words(text, |word| {
            let Word { stem, form, exact } = self.word(word);
            each(stem, form);
            if let Some(exact) = exact {
                each(exact, Form::Exact);
            }
            let before = last.replace(stem).filter(|_| exact.is_some());
            if let Some(before) = before {
                let terms = &mut self.terms;
                let pair = self.pairs.entry((before, stem));
                each(*pair.or_insert_with(|| next(terms)), Form::Pair);
            }
        });
    }

    fn word(&mut self, word: &str) -> Word {
        if let Some(known) = self.words.get(word) {
            return *known;
        }
        let stem = stemmed(word);
        let form = match is_of_requests(&stem) {
            true => Form::OfRequests,
            false => Form::Stem,
        };
        let terms = &mut self.terms;
        let stem = *self.stems.entry(stem.into()).or_insert_with(|| next(terms));
        let is_written = word.bytes().all(|letter| letter.is_ascii_alphabetic());
        let exact = is_written.then(|| next(terms));
        let new = Word { stem, form, exact };
        self.words.insert(word.into(), new);
        new
    }

    /// The terms that a query looks for, each once, sorted; of its words so many.
    pub(super) fn wanted(&self, query: &str, most: usize) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        let mut count = 0;
        let mut last = None;
        words(query, |word| {
            count += 1;
            if count <= most {
                last = self.want(word, last, &mut wanted);
            }
        });
        // Of the same term the one that counts most.
        wanted.sort_by(|left: &Wanted, right| {
            let weights = right.weight.total_cmp(&left.weight);
            left.term.cmp(&right.term).then(weights)
        });
        wanted.dedup_by_key(|wanted| wanted.term);
        wanted
    }

    /// Adds what a word looks for; gives its stem, where it is known.
    fn want(&self, word: &str, last: Option<u32>, wanted: &mut Vec<Wanted>) -> Option<u32> {
        let mut add = |term: u32, weight: f32, is_word: bool| {
            wanted.push(Wanted {
                term,
                weight,
                is_word,
            });
        };
        let stem = stemmed(word);
        for (other, weight) in related(&stem) {
            if let Some(term) = self.stems.get(other.as_str()) {
                add(*term, *weight, false);
            }
        }
        let stem = *self.stems.get(stem.as_str())?;
        add(stem, Form::Stem.weight(), true);
        if let Some(exact) = self.words.get(word).and_then(|word| word.exact) {
            add(exact, Form::Exact.weight(), false);
        }
        if let Some(pair) = last.and_then(|last| self.pairs.get(&(last, stem))) {
            add(*pair, Form::Pair.weight(), false);
        }
        Some(stem)
    }
}

fn next(terms: &mut u32) -> u32 {
    let term = *terms;
    *terms += 1;
    term
}
