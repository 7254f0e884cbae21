//! The parts of a query.

use super::tokenize::words;

/// How much of a query is looked at, in bytes.
const MAX_BYTES: usize = 8_000;

/// The first 8,000 bytes, up to a character.
pub(super) fn cut(query: &str) -> &str {
    &query[..query.floor_char_boundary(MAX_BYTES)]
}

/// What is looked at of a query, if there is a word in it.
pub(crate) fn with_words(query: &str) -> Option<&str> {
    let query = cut(query);
    let mut has_words = false;
    words(query, |_| has_words = true);
    has_words.then_some(query)
}

/// What a query asks for one after the other.
pub(super) fn clauses(query: &str) -> impl Iterator<Item = &str> {
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
