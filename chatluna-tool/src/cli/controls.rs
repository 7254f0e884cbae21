//! Text of tools and models, made harmless to print.

use std::fmt::Write;

/// On one line, with what a terminal would obey as an escape. A person who has to decide about the
/// text gets more escapes, in [`approver::terminal`](crate::permission::approver::terminal).
pub(super) fn escape_controls(text: &str) -> String {
    escaped(text, char::is_control)
}

/// The same, but lines stay lines.
pub(super) fn escape_controls_of_lines(text: &str) -> String {
    escaped(text, |letter| letter.is_control() && letter != '\n')
}

fn escaped(text: &str, is_harmful: fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let _ = if is_harmful(letter) {
            write!(shown, "{}", letter.escape_default())
        } else {
            shown.write_char(letter)
        };
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{escape_controls, escape_controls_of_lines};

    #[test]
    fn what_a_terminal_would_obey_is_an_escape() {
        let text = "a\u{1b}[2J\t部署\r\n\u{9b}1m";
        assert_eq!(escape_controls(text), r"a\u{1b}[2J\t部署\r\n\u{9b}1m");
        let lines = "a\\u{1b}[2J\\t部署\\r\n\\u{9b}1m";
        assert_eq!(escape_controls_of_lines(text), lines);
    }
}
