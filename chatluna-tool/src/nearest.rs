//! The nearest known name to one that is not known.

/// The candidate with the fewest edits from `word`, if a third of the letters or less differ.
///
/// Ties go to the candidate that comes first. Case does not count.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(65).flat_map(char::to_lowercase).collect();
    let allowed = word.len().div_ceil(3);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(edits, _)| *edits <= allowed)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance, one row at a time.
fn distance(left: &[char], right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (above, letter) in right.chars().flat_map(char::to_lowercase).enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (index, other) in left.iter().enumerate() {
            let replaced = diagonal + usize::from(*other != letter);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[left.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_typo_finds_its_name() {
        assert_eq!(nearest("wether", ["deploy", "weather"]), Some("weather"));
        assert_eq!(nearest("City", ["days", "city"]), Some("city"));
        assert_eq!(nearest("城市", ["city"]), None);
        assert_eq!(nearest("", ["city"]), None);
    }
}
