//! Roots, objects, maps, arrays.

use super::{PLAIN, STRICT, becomes, lost, lowered, said, stays};
use chatluna_tool::provider::Dialect::{
    Anthropic, AnthropicStrict, Gemini, Mcp, OpenAi, OpenAiStrict,
};
use chatluna_tool::provider::lower;
use serde_json::json;

#[test]
fn a_root_that_is_a_choice_is_one_object() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}},
        "required": ["id"],
        "oneOf": [
            {"properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
            {"properties": {"kind": {"const": "square"}, "a": {"type": "number"}}, "required": ["kind"]},
        ],
    });
    for dialect in [OpenAi, Anthropic, Gemini] {
        let lowered = lower(&schema, dialect);
        let expected = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string"},
                "kind": {"type": "string", "enum": ["circle", "square"]},
                "r": {"type": "number"},
                "a": {"type": "number"},
            },
            "required": ["id", "kind"],
        });
        assert_eq!(lowered.schema, expected, "{dialect}");
        assert_eq!(lowered.losses[0].to_string(), "the root: `oneOf` widened");
    }
    assert_eq!(lower(&schema, Mcp).schema, schema);
}

#[test]
fn a_root_that_is_a_reference_is_what_it_refers_to() {
    let schema = json!({
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}]}}}},
    });
    let lowered = lower(&schema, OpenAi).schema;
    assert_eq!(lowered["type"], "object");
    assert_eq!(
        lowered["properties"]["next"],
        json!({"anyOf": [{"$ref": "#/$defs/Node"}]})
    );
}

#[test]
fn a_root_is_an_object_whatever_its_keywords() {
    let object = json!({"type": "object", "properties": {}});
    for broken in [
        json!({"const": null}),
        json!({"properties": 5}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/%24defs/A"}}}),
        json!({"$ref": "#/$defs/A/items", "$defs": {"A": {"items": {"type": "number"}}}}),
    ] {
        for dialect in [OpenAi, Anthropic, AnthropicStrict, Gemini, Mcp] {
            let lowered = lower(&broken, dialect).schema;
            let root = json!({"type": lowered["type"], "properties": lowered["properties"]});
            assert_eq!(root, object, "{dialect}: {broken}");
        }
    }
}

#[test]
fn strict_objects_are_closed_and_gemini_is_not_told() {
    let open = json!({"type": "object", "properties": {}});
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    becomes(&STRICT, open.clone(), closed.clone());
    stays(&PLAIN, closed.clone());
    becomes(&[Gemini], closed.clone(), open);
    assert_eq!(
        lost(&closed, Gemini),
        ["/properties/p: `additionalProperties` dropped"]
    );
}

#[test]
fn openai_strict_requires_everything_and_takes_null_for_what_is_optional() {
    let optional = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "choice": {"type": "string", "enum": ["a"]},
            "fixed": {"description": "Only x", "type": "string", "const": "x"},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "given": {"type": "boolean"},
        },
        "required": ["given"],
    });
    stays(&PLAIN, optional.clone());
    let schema = said(&optional, OpenAiStrict);
    assert_eq!(
        schema["properties"],
        json!({
            "text": {"type": ["string", "null"]},
            "choice": {"type": ["string", "null"], "enum": ["a", null]},
            "fixed": {
                "description": "Only x",
                "anyOf": [{"type": "string", "const": "x"}, {"type": "null"}],
            },
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
            "given": {"type": "boolean"},
        })
    );
    assert_eq!(
        schema["required"],
        json!(["text", "choice", "fixed", "either", "given"])
    );
    let sent =
        json!({"p": {"text": null, "choice": "a", "fixed": null, "either": null, "given": true}});
    let restored = lowered(&optional, OpenAiStrict).restore(sent);
    assert_eq!(restored, json!({"p": {"choice": "a", "given": true}}));
}

#[test]
fn what_is_always_null_cannot_be_optional_in_openai_strict() {
    let variant = json!({"type": "object", "properties": {"stop": {"type": "null"}}});
    assert!(!lowered(&variant, OpenAiStrict).strict);
    let required = json!({
        "type": "object",
        "properties": {"stop": {"type": "null"}},
        "required": ["stop"],
    });
    assert!(lowered(&required, OpenAiStrict).strict);
}

#[test]
fn a_map_travels_as_a_list_or_without_strict() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    stays(&[Anthropic, Mcp], map.clone());
    becomes(
        &[OpenAiStrict],
        map.clone(),
        json!({
            "description": "a list of keys and their values",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"key": {"type": "string"}, "value": {"type": "integer"}},
                "required": ["key", "value"],
                "additionalProperties": false,
            },
        }),
    );
    assert_eq!(
        lost(&map, OpenAiStrict),
        ["/properties/p: `additionalProperties` as an array of keys and values"]
    );
    let sent = json!({"p": [{"key": "a", "value": 1}, {"key": "b", "value": 2}]});
    let restored = lowered(&map, OpenAiStrict).restore(sent);
    assert_eq!(restored, json!({"p": {"a": 1, "b": 2}}));
    assert!(!lowered(&map, AnthropicStrict).strict);
    becomes(
        &[Gemini],
        map,
        json!({
            "description": "any keys; each value is of type integer",
            "type": "object",
            "properties": {},
        }),
    );
}

#[test]
fn a_map_of_anything_and_the_root_itself_are_no_list() {
    let any = json!({"type": "object", "additionalProperties": true});
    assert!(!lowered(&any, OpenAiStrict).strict);
    let root = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let lowered = lower(&root, OpenAiStrict);
    assert!(!lowered.strict);
    assert_eq!(
        lowered.schema["additionalProperties"],
        root["additionalProperties"]
    );
}

#[test]
fn arrays_have_items_and_objects_properties() {
    let (array, object) = (json!({"type": "array"}), json!({"type": "object"}));
    stays(&[Anthropic, Mcp], array.clone());
    becomes(
        &[OpenAi],
        array.clone(),
        json!({"type": "array", "items": {}}),
    );
    becomes(
        &[OpenAi],
        object,
        json!({"type": "object", "properties": {}}),
    );
    let items = said(&array, Gemini)["items"].clone();
    assert_eq!(items["nullable"], true);
    assert!(!lowered(&array, OpenAiStrict).strict);
}

#[test]
fn a_tuple_is_an_array_of_any_of_its_fields() {
    let pair = json!({
        "type": "array",
        "prefixItems": [{"type": "number"}, {"type": "number"}],
        "minItems": 2,
        "maxItems": 2,
    });
    stays(&[Anthropic, Mcp], pair.clone());
    let expected =
        json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2});
    becomes(&[OpenAiStrict, Gemini], pair, expected);
}

#[test]
fn refused_property_names_travel_under_others() {
    let schema = json!({
        "type": "object",
        "properties": {"a b": {"type": "string"}, "a-b": {"type": "string"}, "城": {"type": "string"}},
        "required": ["a b", "城"],
    });
    let lowered = lower(&schema, Gemini);
    let wire = lowered.schema["required"].clone();
    assert_eq!(wire, json!(["a_b_10a3f9f2", "arg_d18a2959"]));
    assert_eq!(
        lowered.losses[0].to_string(),
        "/properties/a b: `properties` renamed to `a_b_10a3f9f2`"
    );
    let sent = json!({"a_b_10a3f9f2": "1", "a_b_2a89df63": "2", "arg_d18a2959": "3"});
    assert_eq!(
        lowered.restore(sent),
        json!({"a b": "1", "a-b": "2", "城": "3"})
    );
    let anthropic = lower(&schema, Anthropic);
    assert!(anthropic.schema["properties"].get("a-b").is_some());
    assert!(
        lower(&schema, OpenAiStrict).schema["properties"]
            .get("城")
            .is_some()
    );
}
