//! The dialects of JSON Schema that providers speak.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The part of JSON Schema that a provider takes for the arguments of a tool.
///
/// ```
/// use chatluna_tool::provider::Dialect;
///
/// assert_eq!("openai-strict".parse(), Ok(Dialect::OpenAiStrict));
/// assert_eq!(Dialect::Gemini.to_string(), "gemini");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI functions, and the many servers that speak their format.
    OpenAi,
    /// OpenAI functions with `strict: true`: the model cannot leave the schema.
    OpenAiStrict,
    /// Anthropic tools.
    Anthropic,
    /// Anthropic tools with `strict: true`: the model cannot leave the schema.
    AnthropicStrict,
    /// Gemini function declarations.
    Gemini,
    /// Tools of an MCP server.
    Mcp,
}

impl Dialect {
    /// Every dialect of this version.
    pub const ALL: &'static [Self] = &[
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::Anthropic,
        Self::AnthropicStrict,
        Self::Gemini,
        Self::Mcp,
    ];

    /// The word for it: `openai-strict`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::Anthropic => "anthropic",
            Self::AnthropicStrict => "anthropic-strict",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
        }
    }

    /// Whether the provider holds the model to the schema.
    pub const fn is_strict(self) -> bool {
        matches!(self, Self::OpenAiStrict | Self::AnthropicStrict)
    }

    /// Whether a keyword that the provider does not know is refused, not ignored.
    pub(super) const fn is_narrow(self) -> bool {
        self.is_strict() || matches!(self, Self::Gemini)
    }

    /// What the same provider takes without `strict`.
    pub(super) const fn plain(self) -> Self {
        match self {
            Self::OpenAiStrict => Self::OpenAi,
            Self::AnthropicStrict => Self::Anthropic,
            plain => plain,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(word: &str) -> Result<Self, UnknownDialect> {
        let mut all = Self::ALL.iter().copied();
        all.find(|dialect| dialect.as_str() == word)
            .ok_or_else(|| UnknownDialect(word.to_owned()))
    }
}

/// A word that names no [`Dialect`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Dialect::ALL.iter().map(|known| known.as_str()).collect();
        write!(f, "`{}` is no dialect; use {}", self.0, known.join(", "))
    }
}

impl Error for UnknownDialect {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_is_read_as_it_is_printed() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.to_string().parse(), Ok(*dialect));
        }
    }

    #[test]
    fn an_unknown_word_is_told_the_known_ones() {
        let error = "claude"
            .parse::<Dialect>()
            .map_err(|error| error.to_string());
        let expected = "`claude` is no dialect; use openai, openai-strict, anthropic, \
                        anthropic-strict, gemini, mcp";
        assert_eq!(error, Err(expected.to_owned()));
    }
}
