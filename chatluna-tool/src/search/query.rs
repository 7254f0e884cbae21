//! The parts of a query.

/// How much of a query is looked at, in bytes.
const MAX_BYTES: usize = 8_000;

/// The first 8,000 bytes, up to a character.
pub(super) fn cut(query: &str) -> &str {
    &query[..query.floor_char_boundary(MAX_BYTES)]
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
