//! A light stemmer for English.

/// Cuts the endings of plurals and verbs from an English word, in place.
///
/// Other words, and those of three letters or fewer, stay as they are.
pub(super) fn stem(word: &mut String) {
    if word.len() < 4 || !word.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return;
    }
    plural(word);
    verb(word);
    ending(word);
    last(word);
}

/// The stem of a word.
pub(super) fn stemmed(word: &str) -> String {
    let mut word = word.to_owned();
    stem(&mut word);
    word
}

fn plural(word: &mut String) {
    if word.ends_with("ies") && word.len() > 4 {
        replace(word, 3, "y");
    } else if ["sses", "shes", "ches", "xes", "zes"]
        .iter()
        .any(|end| word.ends_with(end))
    {
        replace(word, 2, "");
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        replace(word, 1, "");
    }
}

fn verb(word: &mut String) {
    if word.ends_with("ied") && word.len() > 4 {
        return replace(word, 3, "y");
    }
    for end in ["ing", "ed"] {
        if let Some(rest) = word.strip_suffix(end)
            && rest.len() > 2
            && rest.bytes().any(is_vowel)
        {
            replace(word, end.len(), "");
            return undouble(word);
        }
    }
}

/// `plann` is `plan`; `call` and `pass` are as they should be.
fn undouble(word: &mut String) {
    let bytes = word.as_bytes();
    if let [.., before, end] = bytes
        && before == end
        && !matches!(end, b'l' | b's' | b'z' | b'e' | b'o')
    {
        word.pop();
    }
}

fn ending(word: &mut String) {
    const ENDINGS: [(&str, &str); 14] = [
        ("ization", "ize"),
        ("isation", "ize"),
        ("ation", "ate"),
        ("ise", "ize"),
        ("ition", "it"),
        ("ment", ""),
        ("ness", ""),
        ("ator", "ate"),
        ("ating", "ate"),
        ("ion", ""),
        ("er", ""),
        ("or", ""),
        ("ly", ""),
        ("al", ""),
    ];
    for (end, instead) in ENDINGS {
        if let Some(rest) = word.strip_suffix(end) {
            // `location` is of `locate`, but `station` of nothing.
            if rest.len() > 3 || (end.starts_with("at") && rest.len() == 3) {
                replace(word, end.len(), instead);
            }
            return;
        }
    }
}

fn last(word: &mut String) {
    if word.len() > 3 && word.ends_with('e') {
        word.pop();
    }
    // `recommendation` is of `recommend`; `format` is not of `form`.
    if word.len() > 6 && word.ends_with("at") {
        replace(word, 2, "");
    }
    if word.len() > 3 && word.ends_with('y') {
        replace(word, 1, "i");
    }
}

fn replace(word: &mut String, cut: usize, instead: &str) {
    word.truncate(word.len() - cut);
    word.push_str(instead);
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
mod tests {
    use super::stemmed;

    #[test]
    fn the_forms_of_a_word_have_one_stem() {
        for forms in [
            &["recommend", "recommends", "recommendation", "recommending"][..],
            &["create", "creates", "created", "creating", "creation"],
            &["locate", "location", "locator"],
            &["translate", "translation", "translator", "translating"],
            &["plan", "planned", "planning"],
            &["query", "queries"],
            &["buy", "buys", "buying"],
        ] {
            let mut stems: Vec<String> = forms.iter().map(|form| stemmed(form)).collect();
            stems.dedup();
            assert_eq!(stems.len(), 1, "{stems:?}");
        }
    }

    #[test]
    fn words_that_only_look_alike_stay_apart() {
        for (left, right) in [("format", "form"), ("station", "state"), ("user", "use")] {
            assert_ne!(stemmed(left), stemmed(right));
        }
    }
}
