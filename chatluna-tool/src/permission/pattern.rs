//! `*` stands for any characters, `?` for one; the whole text has to match.

use std::borrow::Cow;

/// A text to be matched, looked at once for all patterns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'text> {
    text: &'text str,
    pairs: u64,
}

impl<'text, T: AsRef<str> + ?Sized> From<&'text T> for Text<'text> {
    fn from(text: &'text T) -> Self {
        let text = text.as_ref();
        let pairs = pairs(text);
        Self { text, pairs }
    }
}

/// Which bytes stand next to each other, a bit for each of 64 kinds of pairs. A text without those
/// of a pattern does not match it.
fn pairs(text: &str) -> u64 {
    let kind = |(left, right): (u8, u8)| left.wrapping_mul(37).wrapping_add(right) % 64;
    let pairs = text.bytes().zip(text.bytes().skip(1));
    pairs.fold(0, |bits, pair| bits | 1 << kind(pair))
}

/// A pattern, read once. `[*]`, `[?]` and `[[]` stand for the character between the brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: Cow<'static, str>,
    tokens: Vec<Token>,
    /// What comes before the first wildcard.
    prefix: String,
    /// Of how many tokens the prefix is.
    letters: usize,
    /// What comes behind each `*`, where there is no `?`.
    parts: Option<Vec<String>>,
    /// Those of what is no wildcard.
    pairs: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Any,
    One,
    Is(char),
}

impl Token {
    fn letter(&self) -> Option<char> {
        match self {
            Self::Is(letter) => Some(*letter),
            Self::Any | Self::One => None,
        }
    }
}

impl Pattern {
    pub(crate) fn new(text: impl Into<Cow<'static, str>>) -> Self {
        let text = text.into();
        let tokens = tokens(&text);
        let literals = tokens.split(|token| token.letter().is_none());
        let literals = literals.map(|run| run.iter().filter_map(Token::letter).collect::<String>());
        let pairs = literals.fold(0, |bits, literal| bits | pairs(&literal));
        let prefix: String = tokens.iter().map_while(Token::letter).collect();
        let letters = prefix.chars().count();
        let parts = parts(&tokens[letters..]);
        Self {
            text,
            tokens,
            prefix,
            letters,
            parts,
            pairs,
        }
    }

    /// The pattern that only `text` matches.
    pub(crate) fn literal(text: &str) -> Self {
        let mut escaped = String::with_capacity(text.len());
        for letter in text.chars() {
            match letter {
                '*' | '?' | '[' => escaped.extend(['[', letter, ']']),
                letter => escaped.push(letter),
            }
        }
        Self::new(escaped)
    }

    /// The pattern as it was written.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the text has the pairs of the pattern: a quick look, which says no of most texts that
    /// do not match.
    #[inline]
    pub(crate) fn may_match(&self, text: Text<'_>) -> bool {
        self.pairs & !text.pairs == 0
    }

    /// Whether the whole text matches. Time is at most the product of their lengths.
    pub(crate) fn matches<'text>(&self, text: impl Into<Text<'text>>) -> bool {
        let text = text.into();
        if !self.may_match(text) {
            return false;
        }
        let Some(text) = text.text.strip_prefix(&*self.prefix) else {
            return false;
        };
        match (self.rest(), &self.parts) {
            ([], _) => text.is_empty(),
            ([Token::Any], _) => true,
            (_, Some(parts)) => has_in_order(text, parts),
            _ => fits(self.rest(), text.chars(), |token, letter| match token {
                Token::Any => false,
                Token::One => true,
                Token::Is(wanted) => wanted == letter,
            }),
        }
    }

    /// Whether all that `other` matches is matched by this one too. Where it says no, most of it may
    /// be.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        if self.pairs & !other.pairs != 0 || !other.prefix.starts_with(&self.prefix) {
            return false;
        }
        fits(
            &self.tokens,
            other.tokens.iter(),
            |token, narrower| match token {
                Token::Any => false,
                Token::One => *narrower != Token::Any,
                Token::Is(_) => token == *narrower,
            },
        )
    }

    /// What comes from the first wildcard on.
    fn rest(&self) -> &[Token] {
        &self.tokens[self.letters..]
    }

    /// Whether it is stars alone.
    pub(crate) fn is_everything(&self) -> bool {
        !self.tokens.is_empty() && self.tokens.iter().all(|token| *token == Token::Any)
    }

    /// Whether anything may come before what it names.
    pub(crate) fn is_unanchored(&self) -> bool {
        self.prefix.is_empty() && !self.tokens.is_empty()
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let (token, length) = match letter {
            '*' => (Token::Any, 1),
            '?' => (Token::One, 1),
            '[' => match rest.get(..3) {
                Some("[*]") => (Token::Is('*'), 3),
                Some("[?]") => (Token::Is('?'), 3),
                Some("[[]") => (Token::Is('['), 3),
                _ => (Token::Is('['), 1),
            },
            letter => (Token::Is(letter), letter.len_utf8()),
        };
        tokens.push(token);
        rest = &rest[length..];
    }
    tokens
}

/// What comes behind each `*`; nothing where there is a `?`, which takes a look at each letter.
fn parts(rest: &[Token]) -> Option<Vec<String>> {
    let mut parts: Vec<String> = Vec::new();
    for token in rest {
        match token {
            Token::Any => parts.push(String::new()),
            Token::One => return None,
            Token::Is(letter) => parts.last_mut()?.push(*letter),
        }
    }
    Some(parts)
}

/// Whether the text holds the parts in this order, the last at its end.
fn has_in_order(text: &str, parts: &[String]) -> bool {
    let Some((last, parts)) = parts.split_last() else {
        return text.is_empty();
    };
    let Some(mut text) = text.strip_suffix(&**last) else {
        return false;
    };
    parts.iter().all(|part| {
        let behind = behind(text, part);
        behind.map(|rest| text = rest).is_some()
    })
}

/// What comes behind the first `part` of a text. For short texts this is far quicker than
/// [`str::find`], which first studies what it looks for.
fn behind<'text>(text: &'text str, part: &str) -> Option<&'text str> {
    let Some(&first) = part.as_bytes().first() else {
        return Some(text);
    };
    let places = text.bytes().enumerate();
    let places = places.filter(|(_, byte)| *byte == first);
    places
        .filter_map(|(place, _)| text.get(place..)?.strip_prefix(part))
        .next()
}

/// Whether the tokens take all letters, where `takes` says whether one takes one and [`Token::Any`]
/// takes as many as there are.
fn fits<Letter: Copy>(
    tokens: &[Token],
    letters: impl Iterator<Item = Letter> + Clone,
    takes: impl Fn(Token, Letter) -> bool,
) -> bool {
    let (mut tokens, mut letters) = (tokens, letters);
    // Where to go on when a later part fails: behind the last `*`, one letter further.
    let mut retry = None;
    loop {
        if let [Token::Any, rest @ ..] = tokens {
            retry = Some((rest, letters.clone()));
            tokens = rest;
            continue;
        }
        let mut following = letters.clone();
        match (tokens, following.next()) {
            ([], None) => return true,
            ([token, rest @ ..], Some(letter)) if takes(*token, letter) => {
                (tokens, letters) = (rest, following);
            }
            _ => {
                let Some((behind, from)) = &mut retry else {
                    return false;
                };
                if from.next().is_none() {
                    return false;
                }
                (tokens, letters) = (*behind, from.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn matches(pattern: &'static str, text: &str) -> bool {
        Pattern::new(pattern).matches(text)
    }

    #[test]
    fn a_star_is_any_text_and_a_question_mark_one_character() {
        for (pattern, text) in [
            ("*", ""),
            ("*", "tool:weather"),
            ("tool:*", "tool:weather"),
            ("tool:?eather", "tool:weather"),
            ("*_delete", "db_delete"),
            ("a*b*c", "a-b-b-c"),
            ("a*b*c", "abc"),
            ("a**", "a"),
            ("*ab*ab", "abab"),
            ("*a?*b", "axb"),
            ("部署:?", "部署:一"),
            ("", ""),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("", "a"),
            ("tool", "tool:weather"),
            ("tool:weather", "tool"),
            ("?", ""),
            ("a*b", "a-b-c"),
            ("*ab*ab", "ab"),
            ("*ab*ba", "aba"),
            ("*a?*b", "ab"),
            ("*x", ""),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn brackets_take_a_wildcard_by_its_word() {
        assert!(matches("a[*]b[?][[]", "a*b?["));
        assert!(!matches("a[*]b", "axb"));
        assert!(matches("[ab]*", "[ab]c"));
        for text in ["", "*", "rm -rf *?", "[[*]]", "部署[?"] {
            let literal = Pattern::literal(text);
            assert!(literal.matches(text), "{text}");
            assert!(!literal.matches(&format!("{text}x")), "{text}");
            assert!(!literal.matches("other"), "{text}");
        }
    }

    #[test]
    fn what_covers_matches_all_that_the_covered_matches() {
        let covers = |wide: &'static str, narrow: &'static str| {
            Pattern::new(wide).covers(&Pattern::new(narrow))
        };
        for (wide, narrow) in [
            ("*", "*"),
            ("*", "a?b*"),
            ("tool:*", "tool:git_*"),
            ("tool:*", "tool:x"),
            ("*_read", "db_*_read"),
            ("a?c", "abc"),
            ("a?c", "a?c"),
            ("a[*]", "a[*]"),
        ] {
            assert!(covers(wide, narrow), "{wide} {narrow}");
        }
        for (wide, narrow) in [
            ("a?c", "a*c"),
            ("tool:git_*", "tool:*"),
            ("abc", "a?c"),
            ("?", "*"),
            ("a[*]", "a*"),
        ] {
            assert!(!covers(wide, narrow), "{wide} {narrow}");
        }
    }

    /// All words of these letters, of up to so many of them.
    fn words(letters: &[char], length: usize) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut shorter = 0..1;
        for _ in 0..length {
            let longer = words.len();
            for index in shorter {
                let each = letters.iter();
                let each: Vec<String> = each.map(|it| format!("{}{it}", words[index])).collect();
                words.extend(each);
            }
            shorter = longer..words.len();
        }
        words
    }

    /// What a pattern means, said as short as can be.
    fn means(pattern: &[u8], text: &[u8]) -> bool {
        match (pattern, text) {
            ([], _) => text.is_empty(),
            ([b'*', rest @ ..], _) => (0..=text.len()).any(|skipped| means(rest, &text[skipped..])),
            ([letter, rest @ ..], [first, text @ ..]) => {
                (*letter == b'?' || letter == first) && means(rest, text)
            }
            ([_, ..], []) => false,
        }
    }

    #[test]
    fn every_short_pattern_matches_what_it_means() {
        let texts = words(&['a', 'b', 'c'], 5);
        for written in words(&['a', 'b', '*', '?'], 5) {
            let pattern = Pattern::new(written.clone());
            for text in &texts {
                let meant = means(written.as_bytes(), text.as_bytes());
                assert_eq!(pattern.matches(text), meant, "{written} {text}");
            }
        }
    }

    #[test]
    fn no_short_pattern_covers_what_it_does_not_match() {
        let texts = words(&['a', 'b', 'c'], 4);
        let patterns = words(&['a', 'b', '*', '?'], 3);
        let patterns: Vec<Pattern> = patterns.into_iter().map(Pattern::new).collect();
        for wide in &patterns {
            for narrow in patterns.iter().filter(|narrow| wide.covers(narrow)) {
                let mut matched = texts.iter().filter(|text| narrow.matches(*text));
                assert!(
                    matched.all(|text| wide.matches(text)),
                    "{wide:?} {narrow:?}"
                );
            }
        }
    }
}
