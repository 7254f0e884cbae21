//! In which languages tools are described: who asks in another one finds nothing.

/// The share of the texts that a language has at least, as one of so many.
const SHARE: usize = 10;

/// Words that hardly an English sentence does without, and that other languages in Latin letters do not
/// have.
const ENGLISH: &[&str] = &[
    "and", "by", "for", "from", "given", "is", "of", "or", "that", "the", "this", "to", "with",
];

/// The languages of at least a tenth of the texts, the most frequent first. Texts that do not say count
/// for none.
pub(crate) fn languages<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<&'static str> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for language in texts.into_iter().filter_map(language_of) {
        match counts.iter_mut().find(|(known, _)| *known == language) {
            Some((_, count)) => *count += 1,
            None => counts.push((language, 1)),
        }
    }
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    counts.retain(|(_, count)| count * SHARE >= all);
    counts.into_iter().map(|(language, _)| language).collect()
}

/// The language of a text, where its letters or its words say so.
pub(crate) fn language_of(text: &str) -> Option<&'static str> {
    // The letters of ASCII tell none, and most texts have no others.
    let language = (!text.is_ascii()).then(|| by_letters(text)).flatten();
    language.or_else(|| by_words(text))
}

fn by_letters(text: &str) -> Option<&'static str> {
    let has = |first: char, last: char| text.chars().any(|letter| (first..=last).contains(&letter));
    // Japanese writes Chinese characters too, Korean at times.
    if has('\u{3041}', '\u{30fa}') {
        Some("Japanese")
    } else if has('\u{ac00}', '\u{d7a3}') {
        Some("Korean")
    } else if has('\u{3400}', '\u{9fff}') {
        Some("Chinese")
    } else if has('\u{400}', '\u{4ff}') {
        Some("Russian")
    } else if has('\u{600}', '\u{6ff}') {
        Some("Arabic")
    } else {
        None
    }
}

fn by_words(text: &str) -> Option<&'static str> {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    let is_english = |word: &str| ENGLISH.iter().any(|known| known.eq_ignore_ascii_case(word));
    words.any(is_english).then_some("English")
}

#[cfg(test)]
mod tests {
    use super::{language_of, languages};

    #[test]
    fn letters_and_words_tell_the_language() {
        for (text, language) in [
            ("Sends a message to the user", Some("English")),
            ("查询 GitHub 上的 issue", Some("Chinese")),
            ("天気を調べる", Some("Japanese")),
            ("날씨를 알려준다", Some("Korean")),
            ("Показывает погоду", Some("Russian")),
            ("Zeigt das Wetter", None),
            ("weather", None),
            ("123 !?", None),
            ("", None),
        ] {
            assert_eq!(language_of(text), language, "{text}");
        }
    }

    #[test]
    fn a_catalogue_is_in_the_languages_of_a_tenth_of_it() {
        let english = ["Tells the time"; 12];
        let texts = english.into_iter().chain(["查询天气", "ping"]);
        assert_eq!(languages(texts), ["English"]);
        assert_eq!(
            languages(["Tells the time", "查询天气"]),
            ["Chinese", "English"]
        );
        assert_eq!(languages([]), Vec::<&str>::new());
    }
}
