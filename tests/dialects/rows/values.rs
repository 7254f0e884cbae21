//! Keywords that constrain a value, and those that say nothing of it.

use super::{PLAIN, STRICT, becomes, lost, lowered, said, stays, tool};
use chatluna_tool::provider::Dialect::{
    Anthropic, AnthropicStrict, Gemini, Mcp, OpenAi, OpenAiStrict,
};
use chatluna_tool::provider::{Dialect, lower};
use serde_json::json;

#[test]
fn a_constant_is_one_value() {
    let fixed = json!({"type": "string", "const": "x"});
    stays(&PLAIN, fixed.clone());
    stays(&[OpenAiStrict], fixed.clone());
    becomes(
        &[AnthropicStrict, Gemini],
        fixed,
        json!({"type": "string", "enum": ["x"]}),
    );
    let number = json!({"const": 5});
    becomes(
        &[Gemini],
        number.clone(),
        json!({"description": "always 5", "type": "integer"}),
    );
    assert_eq!(
        lost(&number, Gemini),
        ["/properties/p: `const` moved to the description"]
    );
}

#[test]
fn gemini_takes_enums_of_strings() {
    let texts = json!({"type": "string", "enum": ["a", "b"]});
    stays(Dialect::ALL, texts);
    let numbers = json!({"type": "integer", "enum": [1, 2]});
    stays(
        &[OpenAi, Anthropic, Mcp, OpenAiStrict, AnthropicStrict],
        numbers.clone(),
    );
    becomes(
        &[Gemini],
        numbers,
        json!({"description": "one of 1, 2", "type": "integer"}),
    );
}

#[test]
fn gemini_marks_what_may_be_null() {
    let text = json!({"type": ["string", "null"]});
    stays(
        &[OpenAi, Anthropic, Mcp, OpenAiStrict, AnthropicStrict],
        text.clone(),
    );
    let marked = json!({"type": "string", "nullable": true});
    becomes(&[Gemini], text, marked.clone());
    becomes(
        &[Gemini],
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        marked,
    );
    becomes(
        &[Gemini],
        json!({"type": ["string", "integer", "null"], "minLength": 1, "minimum": 0}),
        json!({
            "anyOf": [{"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}],
            "nullable": true,
        }),
    );
    becomes(
        &[Gemini],
        json!({"type": ["string", "null"], "enum": ["a"]}),
        json!({"type": "string", "enum": ["a"]}),
    );
}

#[test]
fn anthropic_strict_is_told_bounds_in_words() {
    let days = json!({"description": "Days", "type": "integer", "minimum": 1, "maximum": 7});
    stays(
        &[OpenAi, Anthropic, Mcp, OpenAiStrict, Gemini],
        days.clone(),
    );
    let told = json!({"description": "Days (at least 1; at most 7)", "type": "integer"});
    becomes(&[AnthropicStrict], days, told);
    let even = json!({"type": "integer", "exclusiveMinimum": 0, "multipleOf": 2});
    stays(&[OpenAiStrict], even.clone());
    let told = json!({"description": "more than 0; a multiple of 2", "type": "integer"});
    becomes(&[AnthropicStrict, Gemini], even, told);
}

#[test]
fn strict_dialects_are_told_lengths_in_words() {
    let name = json!({"type": "string", "minLength": 3, "maxLength": 8});
    stays(&[OpenAi, Anthropic, Mcp, Gemini], name.clone());
    let told =
        json!({"description": "at least 3 characters; at most 8 characters", "type": "string"});
    becomes(&STRICT, name.clone(), told);
    let losses = ["minLength", "maxLength"]
        .map(|keyword| format!("/properties/p: `{keyword}` moved to the description"));
    assert_eq!(lost(&name, OpenAiStrict), losses);
    let few = json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2});
    stays(&[OpenAiStrict, Gemini], few.clone());
    becomes(
        &[AnthropicStrict],
        few,
        json!({
            "description": "at most 2 items",
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
        }),
    );
}

#[test]
fn a_pattern_that_looks_around_is_said_in_words() {
    let plain = json!({"type": "string", "pattern": "^[a-z]+$"});
    stays(
        &[OpenAi, Anthropic, Mcp, OpenAiStrict, Gemini],
        plain.clone(),
    );
    let told = "matches the regular expression `^[a-z]+$`";
    becomes(
        &[AnthropicStrict],
        plain,
        json!({"description": told, "type": "string"}),
    );
    let around = json!({"type": "string", "pattern": "^(?!x)"});
    let told = "matches the regular expression `^(?!x)`";
    becomes(
        &[OpenAiStrict],
        around,
        json!({"description": told, "type": "string"}),
    );
}

#[test]
fn formats_that_are_not_known_are_said_in_words() {
    let of = |format: &str| json!({"type": "string", "format": format});
    let told = |format: &str| json!({"description": format!("in the format `{format}`"), "type": "string"});
    stays(Dialect::ALL, of("date-time"));
    stays(&STRICT, of("uuid"));
    becomes(&[Gemini], of("uuid"), told("uuid"));
    stays(&[AnthropicStrict], of("uri"));
    becomes(&[OpenAiStrict, Gemini], of("uri"), told("uri"));
    stays(&PLAIN, of("idn-email"));
}

#[test]
fn names_of_json_schema_and_rust_are_dropped_everywhere() {
    let noisy = json!({"type": "integer", "title": "Days", "format": "uint8", "minimum": 0});
    for dialect in [OpenAi, OpenAiStrict, Anthropic, Gemini, Mcp] {
        assert_eq!(
            said(&noisy, dialect),
            json!({"type": "integer", "minimum": 0}),
            "{dialect}"
        );
        assert_eq!(lost(&noisy, dialect), [""; 0], "{dialect}");
    }
    let mut schema = tool(&noisy);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    for dialect in Dialect::ALL {
        assert_eq!(
            lower(&schema, *dialect).schema.get("$schema"),
            None,
            "{dialect}"
        );
    }
    stays(
        Dialect::ALL,
        json!({"type": "string", "description": "title"}),
    );
}

#[test]
fn a_property_has_a_type() {
    for dialect in PLAIN {
        assert!(said(&json!(true), dialect)["type"].is_array(), "{dialect}");
        assert!(
            said(&json!({"description": "Any"}), dialect)["type"].is_array(),
            "{dialect}"
        );
    }
    let every = json!({"type": ["string", "number", "boolean", "object", "array", "null"]});
    for any in [json!({}), every] {
        assert_eq!(lost(&any, Gemini), ["/properties/p: `type` narrowed"]);
        assert_eq!(said(&any, Gemini), said(&true.into(), Gemini));
        assert!(!lowered(&any, OpenAiStrict).strict);
    }
}
