//! `*` stands for any characters, `?` for one; the whole text has to match.

/// Whether `text` matches `pattern`. Time is at most the product of their lengths.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern, text);
    // Where to go on when a later part fails: behind the last `*`, one character further.
    let mut retry: Option<(&str, &str)> = None;
    loop {
        let (mut rest, mut letters) = (pattern.chars(), text.chars());
        match (rest.next(), letters.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                retry = Some((rest.as_str(), text));
                pattern = rest.as_str();
            }
            (Some(wanted), Some(letter)) if wanted == '?' || wanted == letter => {
                (pattern, text) = (rest.as_str(), letters.as_str());
            }
            _ => {
                let Some((behind, from)) = retry else {
                    return false;
                };
                let mut further = from.chars();
                if further.next().is_none() {
                    return false;
                }
                retry = Some((behind, further.as_str()));
                (pattern, text) = (behind, further.as_str());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_is_any_text_and_a_question_mark_one_character() {
        for (pattern, text) in [
            ("*", ""),
            ("*", "tool:weather"),
            ("tool:*", "tool:weather"),
            ("*_delete", "db_delete"),
            ("a*b*c", "a-b-b-c"),
            ("部署:?", "部署:一"),
            ("", ""),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("", "a"),
            ("tool", "tool:weather"),
            ("?", ""),
            ("a*b", "a-b-c"),
            ("*x", ""),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
