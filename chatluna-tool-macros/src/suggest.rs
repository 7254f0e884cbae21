//! What an unknown key was probably meant to be.

/// What to write for words of other systems, and for traits outside of `traits(..)`.
const KEYS: &[(&str, &str)] = &[
    ("annotations", "`traits(..)`"),
    ("destructive", "`traits(effect = \"exec\")`"),
    ("destructivehint", "`traits(effect = \"exec\")`"),
    ("effect", "`traits(effect = \"read\")`"),
    ("execute", "what it does in the body of the function"),
    ("handler", "what it does in the body of the function"),
    ("inputschema", "the arguments as parameters of the function"),
    ("parallel", "`traits(parallel)`"),
    ("parameters", "the arguments as parameters of the function"),
    ("readonly", "`traits(effect = \"read\")`"),
    ("readonlyhint", "`traits(effect = \"read\")`"),
    ("rename", "`name`"),
    ("run", "what it does in the body of the function"),
    ("schema", "the arguments as parameters of the function"),
    ("timeout", "`traits(timeout = 30_000)`"),
    ("timeoutms", "`traits(timeout = 30_000)`"),
];

/// What to write for a word in place of one of the `known`, as the end of a sentence.
pub(crate) fn instead_of(word: &str, known: &[&str]) -> Option<String> {
    let plain = word.replace('_', "").to_lowercase();
    let foreign = KEYS.iter().find(|(foreign, _)| *foreign == plain);
    match foreign {
        Some((_, remedy)) => Some((*remedy).to_owned()),
        None => nearest(word, known).map(|near| format!("`{near}`")),
    }
}

/// The only candidate that begins with the word, else the one with the fewest edits.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let begun: Vec<&str> = known
        .iter()
        .copied()
        .filter(|name| name.starts_with(word))
        .collect();
    if let [only] = begun[..] {
        return Some(only);
    }
    let edits = known.iter().map(|name| (distance(word, name), *name));
    let close = edits.filter(|(edits, _)| *edits <= word.len().div_ceil(3));
    close.min_by_key(|(edits, _)| *edits).map(|(_, name)| name)
}

/// Levenshtein distance, one row at a time.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (above, letter) in right.bytes().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (index, other) in left.bytes().enumerate() {
            let replaced = diagonal + usize::from(other != letter);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[left.len()]
}

#[cfg(test)]
mod tests {
    use super::instead_of;

    #[test]
    fn typos_beginnings_and_foreign_words_find_their_key() {
        let known = ["name", "title", "traits", "description"];
        let instead = |word| instead_of(word, &known);
        assert_eq!(instead("nmae").as_deref(), Some("`name`"));
        assert_eq!(instead("nam").as_deref(), Some("`name`"));
        assert_eq!(instead("desc").as_deref(), Some("`description`"));
        assert_eq!(instead("desciption").as_deref(), Some("`description`"));
        assert_eq!(
            instead("readOnlyHint").as_deref(),
            Some("`traits(effect = \"read\")`")
        );
        assert_eq!(instead("t").as_deref(), None);
    }
}
