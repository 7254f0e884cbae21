//! From text to words: folding, identifiers, scripts without spaces.

use super::stop_words::is_stop_word;

/// The longest run of letters that is one word, in characters; what is longer is cut.
///
/// Keys and base64 are noise, and their parts fill an index.
const MAX_WORD: usize = 40;

/// How the letters of a text make words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    /// Of a script that sets no spaces between words.
    Unspaced,
    /// A mark on the letter before it.
    Mark,
    Other,
}

/// Calls `each` with every word of a text, in the order of the text.
///
/// Words are folded (case, width, the accents of Latin letters), split where an identifier is
/// (`getHTTPUrl`, `get_url`, `mp3`), and left out if they are stop words. A word that is split is
/// one as a whole as well. Text of scripts without spaces gives each character and each pair of
/// neighbours.
pub(super) fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut run = Run::default();
    for letter in text.chars().filter_map(fold_width) {
        match classify(letter) {
            Class::Mark => (),
            Class::Other => run.end(&mut each),
            class => run.push(letter, class, &mut each),
        }
    }
    run.end(&mut each);
}

/// Letters that no space or punctuation divides.
#[derive(Default)]
struct Run {
    letters: Vec<(char, Class)>,
    whole: String,
    part: String,
}

impl Run {
    fn push(&mut self, letter: char, class: Class, each: &mut impl FnMut(&str)) {
        let unspaced = class == Class::Unspaced;
        let changed = self
            .letters
            .last()
            .is_some_and(|(_, last)| (*last == Class::Unspaced) != unspaced);
        if changed || (!unspaced && self.letters.len() == MAX_WORD) {
            self.end(each);
        }
        self.letters.push((letter, class));
        if unspaced && self.letters.len() == 2 {
            self.pair(each);
            self.letters.remove(0);
        }
    }

    /// The first letter of two, and both.
    fn pair(&mut self, each: &mut impl FnMut(&str)) {
        self.first(1, each);
        self.first(2, each);
    }

    /// The first letters, as one word.
    fn first(&mut self, count: usize, each: &mut impl FnMut(&str)) {
        let letters = self.letters[..count].iter();
        self.part.extend(letters.map(|(letter, _)| *letter));
        emit(&mut self.part, each);
    }

    fn end(&mut self, each: &mut impl FnMut(&str)) {
        match self.letters.first() {
            None => return,
            Some((_, Class::Unspaced)) => self.first(self.letters.len(), each),
            Some(_) => self.word(each),
        }
        self.letters.clear();
    }

    fn word(&mut self, each: &mut impl FnMut(&str)) {
        self.whole.clear();
        let mut parts = 0;
        for at in 0..self.letters.len() {
            if at > 0 && self.splits(at) {
                parts += 1;
                emit(&mut self.part, each);
            }
            for lower in self.letters[at].0.to_lowercase() {
                let lower = fold_accent(lower);
                self.part.push(lower);
                self.whole.push(lower);
            }
        }
        emit(&mut self.part, each);
        if parts > 0 {
            emit(&mut self.whole, each);
        }
    }

    /// Whether an identifier has a joint before this letter: `fooBar`, `HTTPServer`, `mp3`.
    fn splits(&self, at: usize) -> bool {
        let class = |at: usize| self.letters.get(at).map(|(_, class)| *class);
        match (class(at - 1), class(at)) {
            (Some(Class::Lower), Some(Class::Upper)) => true,
            (Some(Class::Upper), Some(Class::Upper)) => class(at + 1) == Some(Class::Lower),
            (before, after) => (before == Some(Class::Digit)) != (after == Some(Class::Digit)),
        }
    }
}

/// Gives a word, unless it is a stop word, and makes it empty.
fn emit(word: &mut String, each: &mut impl FnMut(&str)) {
    if !is_stop_word(word) {
        each(word);
    }
    word.clear();
}

fn classify(letter: char) -> Class {
    match letter {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        _ if letter.is_ascii() => Class::Other,
        '\u{300}'..='\u{36f}' => Class::Mark,
        _ if is_unspaced(letter) => Class::Unspaced,
        _ if letter.is_uppercase() => Class::Upper,
        _ if letter.is_numeric() => Class::Digit,
        _ if letter.is_alphanumeric() => Class::Lower,
        _ => Class::Other,
    }
}

/// Han, kana, Hangul, Thai, Lao, Myanmar and Khmer.
///
/// Korean sets spaces, but a word carries its particles, so that pairs find more than words do.
pub(super) fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3131}'..='\u{318e}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Full-width forms become ASCII, half-width kana full-width.
fn fold_width(letter: char) -> Option<char> {
    const KANA: &str = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0),
        '\u{ff66}'..='\u{ff9d}' => KANA.chars().nth(letter as usize - 0xff66),
        // Voicing marks are letters of their own in half-width text.
        '\u{ff9e}' | '\u{ff9f}' => None,
        _ => Some(letter),
    }
}

fn fold_accent(letter: char) -> char {
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì'..='ï' | 'ī' | 'į' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'š' | 'ş' => 's',
        'ť' | 'ţ' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        _ => letter,
    }
}
