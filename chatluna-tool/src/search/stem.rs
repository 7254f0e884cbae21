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
            if rest.len() > 3 {
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
    if word.len() > 2 && word.ends_with('y') {
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
