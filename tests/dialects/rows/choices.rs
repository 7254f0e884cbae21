//! Choices and references.

use super::{PLAIN, becomes, lost, lowered, stays};
use chatluna_tool::provider::Dialect::{Anthropic, AnthropicStrict, Gemini, OpenAi, OpenAiStrict};
use chatluna_tool::provider::lower;
use serde_json::{Value, json};

#[test]
fn one_of_becomes_any_of() {
    let either = json!({"oneOf": [{"type": "string"}, {"type": "integer"}]});
    stays(&PLAIN, either.clone());
    let expected = json!({"anyOf": [{"type": "string"}, {"type": "integer"}]});
    becomes(
        &[OpenAiStrict, AnthropicStrict, Gemini],
        either.clone(),
        expected,
    );
    assert_eq!(lost(&either, Gemini), ["/properties/p: `oneOf` widened"]);
}

fn tree() -> Value {
    json!({
        "type": "object",
        "properties": {"root": {"description": "The root", "$ref": "#/$defs/Node"}},
        "required": ["root"],
        "additionalProperties": false,
        "$defs": {"Node": {
            "type": "object",
            "properties": {"子": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
            "required": ["子"],
            "additionalProperties": false,
        }},
    })
}

#[test]
fn openai_takes_references_and_strict_takes_them_alone() {
    let lowered = lower(&tree(), OpenAiStrict);
    assert!(lowered.strict);
    assert_eq!(
        lowered.schema["properties"]["root"],
        json!({"description": "The root", "anyOf": [{"$ref": "#/$defs/Node"}]})
    );
    assert_eq!(lowered.schema["$defs"], tree()["$defs"]);
}

#[test]
fn anthropic_takes_recursion_without_strict_only() {
    let lowered = lower(&tree(), AnthropicStrict);
    assert!(!lowered.strict);
    let loss = "/$defs/Node: `$ref` not possible in a strict schema; sent without `strict`";
    assert_eq!(lowered.losses[0].to_string(), loss);
    assert_eq!(lowered.schema, lower(&tree(), Anthropic).schema);
}

#[test]
fn gemini_has_references_inlined_and_recursion_cut() {
    let lowered = lower(&tree(), Gemini);
    let node = |children: Value| {
        json!({
            "type": "object",
            "properties": {"arg_5f0ca465": {
                "description": "this is `子`",
                "type": "array",
                "items": children,
            }},
            "required": ["arg_5f0ca465"],
        })
    };
    let mut expected = node(node(json!({"type": "object", "properties": {}})));
    expected["description"] = "The root".into();
    assert_eq!(lowered.schema["properties"]["root"], expected);
    assert_eq!(lowered.schema.get("$defs"), None);
    let losses: Vec<String> = lowered.losses.iter().map(ToString::to_string).collect();
    assert!(losses.contains(&"/$defs/Node/properties/子/items: `$ref` cut short".to_owned()));
    let sent = json!({"root": {"arg_5f0ca465": [{"arg_5f0ca465": [{"子": []}]}]}});
    let restored = json!({"root": {"子": [{"子": [{"子": []}]}]}});
    assert_eq!(lowered.restore(sent), restored);
}

#[test]
fn a_reference_into_the_middle_of_a_schema_is_inlined() {
    let schema = json!({
        "type": "object",
        "properties": {"a b": {"type": "string", "minLength": 1}, "c": {"$ref": "#/properties/a%20b"}},
    });
    for dialect in [OpenAi, Anthropic, Gemini] {
        let lowered = lower(&schema, dialect).schema;
        let expected = json!({"type": "string", "minLength": 1});
        assert_eq!(lowered["properties"]["c"], expected, "{dialect}");
    }
}

#[test]
fn what_stands_beside_a_reference_that_is_inlined_is_a_loss() {
    let p = json!({"$ref": "#/properties/p/$defs/text", "minLength": 1, "$defs": {"text": {"type": "string"}}});
    for dialect in PLAIN {
        let expected = [
            "/properties/p: `$ref` inlined",
            "/properties/p: `minLength` dropped",
        ];
        assert_eq!(lost(&p, dialect)[..2], expected, "{dialect}");
    }
}

#[test]
fn the_branch_of_a_choice_is_told_by_its_tag() {
    let shape = json!({"oneOf": [
        {
            "type": "object",
            "properties": {"kind": {"const": 1}, "最大": {"type": "integer"}},
            "required": ["kind"],
        },
        {
            "type": "object",
            "properties": {"kind": {"const": 2}, "最大": {"type": "string"}, "map": {
                "type": "object", "additionalProperties": {"type": "string"},
            }},
            "required": ["kind"],
        },
    ]});
    let sent = json!({"p": {"kind": 2, "最大": null, "map": [{"key": "a", "value": "b"}]}});
    let restored = lowered(&shape, OpenAiStrict).restore(sent);
    assert_eq!(restored, json!({"p": {"kind": 2, "map": {"a": "b"}}}));
}

#[test]
fn a_branch_is_told_by_numbers_that_no_float_tells_apart() {
    let least = 9_007_199_254_740_993_u64;
    let entry = json!({
        "type": "object",
        "properties": {"key": {"type": "string"}, "value": {"type": "integer"}},
        "required": ["key", "value"],
        "additionalProperties": false,
    });
    let branch = |n: Value, of: Value| {
        json!({
            "type": "object",
            "properties": {"n": n, "of": of},
            "required": ["n", "of"],
            "additionalProperties": false,
        })
    };
    let choice = json!({"anyOf": [
        branch(
            json!({"type": "integer", "maximum": least - 1}),
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        ),
        branch(
            json!({"type": "integer", "minimum": least}),
            json!({"type": "array", "items": entry}),
        ),
    ]});
    let lowered = lowered(&choice, OpenAiStrict);
    let sent = |n: u64| json!({"p": {"n": n, "of": [{"key": "a", "value": 1}]}});
    assert_eq!(lowered.restore(sent(least)), sent(least));
    let map = json!({"p": {"n": least - 1, "of": {"a": 1}}});
    assert_eq!(lowered.restore(sent(least - 1)), map);
}
