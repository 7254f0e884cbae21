//! Text without control characters.

use std::borrow::Cow;

/// The text with every control character shown as a sign, but for tab and line ends: what a model
/// reads can then neither hide nor command anything where it is displayed.
pub(crate) fn picture_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    // Those outside of ASCII begin with this byte, as some letters do.
    let may_be_control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    let suspect = |byte: u8| may_be_control(byte) || matches!(byte, 0x7f | 0xc2);
    if !text.bytes().any(suspect) {
        return text;
    }
    Cow::Owned(text.chars().map(sign).collect())
}

/// The picture of an ASCII control character, as `␛`.
fn sign(char: char) -> char {
    match char {
        '\t' | '\n' | '\r' => char,
        '\0'..='\x1f' => char::from_u32('\u{2400}' as u32 + char as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        char => char,
    }
}

#[cfg(test)]
mod tests {
    use super::picture_controls;
    use std::borrow::Cow;

    #[test]
    fn control_characters_become_signs() {
        let shown = picture_controls("\x1b[31m\0a\u{9b}b\x7f£\t\r\n".into());
        assert_eq!(shown, "\u{241b}[31m\u{2400}a\u{fffd}b\u{2421}£\t\r\n");
        assert!(matches!(
            picture_controls("plain\n".into()),
            Cow::Borrowed(_)
        ));
    }
}
