//! Names and descriptions of tools.

use super::names::NameRule;
use super::{Dialect, Loss, LossAction};
use std::borrow::Cow;

/// OpenAI refuses a longer description: "string too long. Expected a string with maximum length
/// 1024". No limit is known of the others.
const OPENAI_DESCRIPTION: usize = 1_024;

/// How far before the limit a description ends on a whole word. Some languages write none.
const WORD: usize = 64;

/// A tool's description, cut where the provider's limit is.
///
/// ```
/// use chatluna_tool::provider::{Dialect, cut_description};
///
/// let (text, loss) = cut_description("Current weather of a city", Dialect::OpenAi);
/// assert_eq!((&*text, loss), ("Current weather of a city", None));
/// ```
pub fn cut_description(text: &str, dialect: Dialect) -> (Cow<'_, str>, Option<Loss>) {
    let is_limited = dialect.plain() == Dialect::OpenAi;
    if !is_limited || text.chars().count() <= OPENAI_DESCRIPTION {
        return (text.into(), None);
    }
    let mut letters = text.char_indices();
    // One character is the sign that something is missing.
    let end = letters
        .nth(OPENAI_DESCRIPTION - 1)
        .map_or(text.len(), |(end, _)| end);
    let (kept, rest) = text.split_at(end);
    let kept = if rest.starts_with(char::is_whitespace) {
        kept
    } else {
        whole_words(kept)
    };
    let loss = Loss {
        pointer: String::new(),
        keyword: "description".to_owned(),
        action: LossAction::Cut,
    };
    (format!("{}…", kept.trim_end()).into(), Some(loss))
}

fn whole_words(text: &str) -> &str {
    match text.rfind(char::is_whitespace) {
        Some(space) if text[space..].chars().count() <= WORD => &text[..space],
        _ => text,
    }
}

/// The name under which a tool travels: its own, unless the provider refuses that.
///
/// [`original_tool_name`] is the way back. No two tools travel under one name: one that is changed
/// ends with a hash of its own.
///
/// ```
/// use chatluna_tool::provider::{Dialect, original_tool_name, tool_name};
///
/// assert_eq!(tool_name("2fa", Dialect::OpenAi), "2fa");
/// let wire = tool_name("2fa", Dialect::Gemini); // has to start with a letter or `_`
/// assert_eq!(wire, "_2fa_666b8678");
/// assert_eq!(original_tool_name(&wire, ["weather", "2fa"], Dialect::Gemini), Some("2fa"));
/// ```
pub fn tool_name(name: &str, dialect: Dialect) -> Cow<'_, str> {
    rule(dialect).alone(name)
}

/// The name, of those given, that travels as `wire`.
pub fn original_tool_name<'a>(
    wire: &str,
    names: impl IntoIterator<Item = &'a str>,
    dialect: Dialect,
) -> Option<&'a str> {
    let mut names = names.into_iter();
    names.find(|name| tool_name(name, dialect) == wire)
}

/// 64 characters, where newer endpoints of Anthropic and Gemini take more.
fn rule(dialect: Dialect) -> NameRule {
    let goes_on: fn(char) -> bool = match dialect {
        Dialect::Gemini => |c| c.is_ascii_alphanumeric() || "_.:-".contains(c),
        Dialect::Mcp => |c| c.is_ascii_alphanumeric() || "_.-".contains(c),
        _ => |c| c.is_ascii_alphanumeric() || "_-".contains(c),
    };
    let starts = match dialect {
        Dialect::Gemini => |c: char| c.is_ascii_alphabetic() || c == '_',
        _ => goes_on,
    };
    NameRule {
        starts,
        goes_on,
        longest: if dialect == Dialect::Mcp { 128 } else { 64 },
        stem: "tool",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_description_ends_on_a_word() {
        let text = "word ".repeat(300);
        let (cut, loss) = cut_description(&text, Dialect::OpenAiStrict);
        assert!(cut.ends_with("word…"), "{cut}");
        assert!(cut.chars().count() <= 1_024);
        let loss = loss.map(|loss| loss.to_string());
        assert_eq!(loss.as_deref(), Some("the root: `description` cut short"));
        assert_eq!(
            cut_description(&text, Dialect::Gemini),
            (text.as_str().into(), None)
        );
    }

    #[test]
    fn a_description_without_spaces_is_cut_between_letters() {
        let (text, limit) = ("天气".repeat(600), 1_024);
        let (cut, _) = cut_description(&text, Dialect::OpenAi);
        assert_eq!(cut.chars().count(), limit);
        let exact = "天".repeat(limit);
        assert_eq!(
            cut_description(&exact, Dialect::OpenAi),
            (exact.as_str().into(), None)
        );
    }

    #[test]
    fn every_tool_name_travels_and_comes_back() {
        let long = "n".repeat(200);
        let names = ["weather", "2fa", "-x", "a.b", "a b", "天气", "", &long];
        for dialect in Dialect::ALL {
            for name in names {
                let wire = tool_name(name, *dialect);
                assert!(rule(*dialect).alone(&wire) == wire, "{dialect}: {wire}");
                assert_eq!(original_tool_name(&wire, names, *dialect), Some(name));
            }
        }
    }
}
