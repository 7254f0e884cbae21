//! Schemas that are too large, too deep or none, and arguments that fit nothing.

use super::{lowered, tool};
use chatluna_tool::provider::Dialect::{AnthropicStrict, Gemini, OpenAiStrict};
use chatluna_tool::provider::{Dialect, lower};
use serde_json::{Value, json};

#[test]
fn too_large_a_schema_is_not_strict() {
    let deep = (0..11).fold(
        json!({"type": "string"}),
        |below, _| json!({"type": "object", "properties": {"below": below}, "required": ["below"]}),
    );
    let values: Vec<String> = (0..1_001).map(|value| value.to_string()).collect();
    let long: Vec<String> = (0..300).map(|value| format!("{value:060}")).collect();
    let many = (0..5_001).map(|name| (name.to_string(), json!({"type": "string"})));
    for (p, dialect) in [
        (deep, OpenAiStrict),
        (json!({"type": "string", "enum": values}), OpenAiStrict),
        (json!({"type": "string", "enum": long}), OpenAiStrict),
        (
            json!({"type": "object", "properties": many.collect::<serde_json::Map<_, _>>()}),
            OpenAiStrict,
        ),
        (optional(25), AnthropicStrict),
    ] {
        let lowered = lowered(&p, dialect);
        assert!(!lowered.strict);
        let loss = lowered.losses[0].to_string();
        assert!(loss.contains("sent without `strict`"), "{loss}");
    }
    assert!(lowered(&optional(24), AnthropicStrict).strict);
}

fn optional(count: u32) -> Value {
    let each = (0..count).map(|name| (name.to_string(), json!({"type": "string"})));
    json!({"type": "object", "properties": each.collect::<serde_json::Map<_, _>>()})
}

#[test]
fn what_is_no_schema_is_one_of_any_object() {
    for schema in [
        json!(5),
        json!(true),
        json!({}),
        json!({"type": "string"}),
        json!(null),
    ] {
        for dialect in Dialect::ALL {
            let lowered = lower(&schema, *dialect).schema;
            assert_eq!(lowered["type"], "object", "{dialect}: {schema}");
            assert!(lowered["properties"].is_object(), "{dialect}: {schema}");
        }
    }
}

#[test]
fn references_that_lead_nowhere_or_in_circles_end() {
    let mut schema = tool(&json!({"$ref": "#/$defs/A"}));
    schema["properties"]["q"] = json!({"$ref": "#/$defs/Gone"});
    schema["properties"]["r"] = json!({"$ref": "https://example.com/schema"});
    schema["$defs"] = json!({
        "A": {"$ref": "#/$defs/B"},
        "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
    });
    for dialect in Dialect::ALL {
        let lowered = lower(&schema, *dialect);
        let arguments = json!({"p": [{"a": [1]}], "q": {}, "r": {"b": 2}});
        assert_eq!(lowered.restore(arguments.clone()), arguments, "{dialect}");
    }
}

#[test]
fn definitions_that_double_do_not_explode() {
    let mut schema = tool(&json!({"$ref": "#/$defs/0"}));
    let doubles = (0..40).map(|index| {
        let next = json!({"$ref": format!("#/$defs/{}", index + 1)});
        let double = json!({"type": "object", "properties": {"a": next, "b": next}});
        (index.to_string(), double)
    });
    schema["$defs"] = doubles.collect::<serde_json::Map<_, _>>().into();
    schema["$defs"]["40"] = json!({"type": "string"});
    let length = lower(&schema, Gemini).schema.to_string().len();
    assert!(length < 100_000, "{length}");
    for dialect in Dialect::ALL {
        lower(&schema, *dialect);
    }
}

#[test]
fn definitions_that_branch_do_not_explode() {
    // Ten objects within each other are as many as OpenAI takes; the root is one.
    for (levels, is_strict) in [(9, true), (10, false)] {
        let mut schema = tool(&json!({"$ref": "#/$defs/0"}));
        let branches = (0..levels).map(|index| {
            let next = json!({"$ref": format!("#/$defs/{}", index + 1)});
            let properties = (0..50).map(|name| (name.to_string(), next.clone()));
            let properties: serde_json::Map<_, _> = properties.collect();
            (
                index.to_string(),
                json!({"type": "object", "properties": properties}),
            )
        });
        schema["$defs"] = branches.collect::<serde_json::Map<_, _>>().into();
        schema["$defs"][levels.to_string()] = json!({"type": "string"});
        assert_eq!(lower(&schema, OpenAiStrict).strict, is_strict, "{levels}");
    }
}

#[test]
fn references_in_a_long_row_are_no_danger_to_the_stack() {
    let mut schema = tool(&json!({"$ref": "#/$defs/0"}));
    let row = (0..20_000).map(|index| {
        let next = json!({"$ref": format!("#/$defs/{}", index + 1)});
        (
            index.to_string(),
            json!({"anyOf": [next, {"type": "null"}]}),
        )
    });
    schema["$defs"] = row.collect::<serde_json::Map<_, _>>().into();
    schema["$defs"]["20000"] = json!({"type": "object", "properties": {"城": {"type": "string"}}});
    for dialect in Dialect::ALL {
        let arguments = json!({"p": {"a": 1}});
        let lowered = lower(&schema, *dialect);
        assert_eq!(lowered.restore(arguments.clone()), arguments, "{dialect}");
    }
}

#[test]
fn an_object_that_is_a_part_of_itself_is_put_together_twice() {
    let part = json!({
        "type": "object",
        "properties": {"next": {
            "type": "object",
            "properties": {"own": {"type": "string"}},
            "anyOf": [{"$ref": "#/$defs/part"}],
        }},
    });
    let mut schema = tool(&json!({"$ref": "#/$defs/part"}));
    schema["$defs"] = json!({"part": part});
    let lowered = lower(&schema, Gemini).schema;
    let twice = lowered.pointer("/properties/p/properties/next/properties/next/properties/next");
    let last = json!({"type": "object", "properties": {"own": {"type": "string"}}});
    assert_eq!(twice, Some(&last));
}

#[test]
fn arguments_that_fit_nothing_come_back_as_far_as_they_can_be_read() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let lowered = lowered(&map, OpenAiStrict);
    for sent in [
        json!(null),
        json!([1]),
        json!("text"),
        json!({"p": [1]}),
        json!({"p": {"a": 1}}),
    ] {
        assert_eq!(lowered.restore(sent.clone()), sent);
    }
}
