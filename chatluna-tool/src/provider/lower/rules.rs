//! Which of the keywords that hold no schema a dialect takes.

use super::Dialect;
use serde_json::Value;

/// The formats that OpenAI and Anthropic enforce.
const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Whether a dialect takes a keyword as it is. A narrow one refuses what it does not know.
pub(super) fn takes(dialect: Dialect, keyword: &str, value: &Value) -> bool {
    match dialect {
        Dialect::OpenAiStrict => openai_strict(keyword, value),
        Dialect::AnthropicStrict => anthropic_strict(keyword, value),
        Dialect::Gemini => gemini(keyword, value),
        Dialect::OpenAi | Dialect::Anthropic | Dialect::Mcp => true,
    }
}

/// <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>.
///
/// `default` is in no list there, and was refused: <https://github.com/dotnet/extensions/issues/6196>.
fn openai_strict(keyword: &str, value: &Value) -> bool {
    match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
        | "minItems" | "maxItems" => true,
        "pattern" => !looks_around(value),
        "format" => FORMATS.iter().any(|format| value == format),
        _ => false,
    }
}

/// <https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations>.
///
/// Some patterns are taken; which ones is not said exactly, so none is sent.
fn anthropic_strict(keyword: &str, value: &Value) -> bool {
    match keyword {
        "default" => true,
        "minItems" => value == 0 || value == 1,
        "format" => value == "uri" || FORMATS.iter().any(|format| value == format),
        _ => false,
    }
}

/// <https://ai.google.dev/api/caching#Schema>.
///
/// `default` is taken and not read. Of the formats of strings two are taken, and `enum` says
/// nothing: <https://github.com/google-gemini/gemini-cli/issues/3178>.
fn gemini(keyword: &str, value: &Value) -> bool {
    match keyword {
        "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems"
        | "minProperties" | "maxProperties" => true,
        "pattern" => !looks_around(value),
        "format" => value == "date-time",
        _ => false,
    }
}

/// Whether a regular expression looks ahead or behind, which a linear engine cannot.
fn looks_around(pattern: &Value) -> bool {
    let pattern = pattern.as_str().unwrap_or_default();
    ["(?=", "(?!", "(?<=", "(?<!"]
        .iter()
        .any(|look| pattern.contains(look))
}

/// Whether a keyword only names things of Rust or of JSON Schema; no provider needs it.
pub(super) fn is_noise(keyword: &str, value: &Value) -> bool {
    match keyword {
        "$schema" | "title" => true,
        "format" => value.as_str().is_some_and(is_width),
        _ => false,
    }
}

/// `uint32`, `int64`, `double`.
fn is_width(format: &str) -> bool {
    let name = format.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(name, "int" | "uint" | "float" | "double")
}
