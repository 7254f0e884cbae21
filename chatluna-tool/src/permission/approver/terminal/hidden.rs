//! Text of a model, made harmless to look at.

/// Spaces in a row that are shown as such: more could push what follows onto a line that looks like
/// one of the question's own.
const SPACES: usize = 4;

/// On one line, with what a terminal would obey, hide or show as nothing as an escape.
pub(super) fn escape_hidden(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut spaces = 0;
    for letter in text.chars() {
        spaces = if letter == ' ' { spaces + 1 } else { 0 };
        if spaces > SPACES || is_hidden(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Controls, blanks other than the space, and what Unicode calls default ignorable: formatting,
/// directions, fillers, selectors, tags. Source: DerivedCoreProperties.txt of Unicode 16.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || (letter.is_whitespace() && letter != ' ')
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}'
                | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::escape_hidden;

    #[test]
    fn what_cannot_be_seen_is_an_escape() {
        for (text, shown) in [
            ("plain, 部署 and é", "plain, 部署 and é"),
            ("\x1b[2J\x07\r\n\t", "\\u{1b}[2J\\u{7}\\u{d}\\u{a}\\u{9}"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            (
                "a\u{202e}b\u{2066}c\u{2069}",
                "a\\u{202e}b\\u{2066}c\\u{2069}",
            ),
            ("\u{200b}\u{200f}\u{feff}", "\\u{200b}\\u{200f}\\u{feff}"),
            ("\u{2028}\u{2029}\u{a0}", "\\u{2028}\\u{2029}\\u{a0}"),
            ("\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"),
            ("\u{3164}\u{2800}\u{fe0f}", "\\u{3164}\\u{2800}\\u{fe0f}"),
            ("a    b", "a    b"),
            ("a      b", "a    \\u{20}\\u{20}b"),
        ] {
            assert_eq!(escape_hidden(text), shown);
        }
    }
}
