//! What a schema promises is kept: also where no type of Rust's does it.

use chatluna_tool::{
    BuildError, Effect, ErrorKind, FnTool, Runtime, Session, SessionInfo, ToolDefinition, Traits,
    tool, tool_type, tools,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug)]
#[tool_type]
struct Line {
    #[schemars(length(min = 1))]
    sku: String,
    #[schemars(range(min = 1, max = 99))]
    #[serde(alias = "amount")]
    count: u32,
    #[serde(default)]
    parts: Vec<Line>,
}

#[derive(Debug)]
#[tool_type]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Payment {
    Card {
        #[schemars(regex(pattern = r"^[0-9]{4}$"))]
        last: String,
    },
    Cash,
}

/// Orders goods
#[tool(traits(effect = "read"))]
async fn order(
    /// What
    lines: Vec<Line>,
    /// How
    #[serde(alias = "pay")]
    payment: Option<Payment>,
    /// Of each day
    limits: Option<BTreeMap<String, Share>>,
    /// Seen as a set
    tags: Option<BTreeSet<String>>,
    /// Known to few
    #[arg(secret)]
    pin: Option<Pin>,
) -> String {
    let pin = pin.is_some();
    format!("{lines:?} {payment:?} {limits:?} {tags:?} {pin}")
}

#[derive(Debug)]
#[tool_type]
#[serde(transparent)]
struct Share(#[schemars(range(min = 0.0, max = 1.0))] f64);

#[tool_type]
#[serde(transparent)]
struct Pin(#[schemars(length(min = 4))] String);

fn session() -> Result<Session, BuildError> {
    let runtime = Runtime::builder().tools(tools![order]).build()?;
    Ok(runtime.session(SessionInfo::new("promises")))
}

#[tokio::test]
async fn constraints_of_types_are_enforced_wherever_they_are() -> Result<(), BuildError> {
    let session = session()?;
    for (arguments, told) in [
        (
            r#"{"lines": [{"sku": "a", "count": 0}]}"#,
            "/lines/0/count: must be between 1 and 99, got 0",
        ),
        (
            r#"{"lines": [{"sku": "a", "count": 1}, {"sku": "", "count": 1}]}"#,
            "/lines/1/sku: must have at least 1 character, has 0",
        ),
        (
            r#"{"lines": [{"sku": "a", "count": 1, "parts": [{"sku": "b", "count": 100}]}]}"#,
            "/lines/0/parts/0/count: must be between 1 and 99, got 100",
        ),
        (
            r#"{"lines": [], "pay": {"kind": "card", "last": "12"}}"#,
            "/pay/last: must match the pattern ^[0-9]{4}$, got \"12\"",
        ),
        (
            r#"{"lines": [], "limits": {"mon": 0.5, "tue": 1.5}}"#,
            "/limits/tue: must be between 0 and 1, got 1.5",
        ),
        (
            r#"{"lines": [], "pin": "123"}"#,
            "/pin: must have at least 4 characters (its value is secret)",
        ),
    ] {
        let result = session.call("order", arguments).await;
        assert_eq!(result.text(), format!("error (invalid_arguments): {told}"));
    }
    Ok(())
}

#[tokio::test]
async fn what_a_type_reads_is_not_refused_for_more_than_its_constraints() -> Result<(), BuildError>
{
    let session = session()?;
    // The schema knows neither the alias nor a set that says something twice.
    let arguments = r#"{"lines": [{"sku": "a", "amount": 2}], "tags": ["x", "x"], "pin": "1234"}"#;
    let result = session.call("order", arguments).await;
    assert_eq!(
        result.text(),
        r#"[Line { sku: "a", count: 2, parts: [] }] None None Some({"x"}) true"#
    );
    assert!(result.repairs().is_empty());
    Ok(())
}

#[tokio::test]
async fn a_long_text_is_checked_and_keeps_its_secrets() -> Result<(), BuildError> {
    let session = session()?;
    let padding = "x".repeat(300 << 10);
    let arguments = json!({"lines": [], "tags": [padding], "pin": "123"});
    let result = session.call("order", arguments).await;
    let told =
        "error (invalid_arguments): /pin: must have at least 4 characters (its value is secret)";
    assert_eq!(result.text(), told);
    Ok(())
}

fn given(schema: Value) -> Result<Runtime, BuildError> {
    let definition = ToolDefinition::new("given", "Takes what it is given")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(schema);
    let echo = |arguments: Value, _| std::future::ready(arguments);
    Runtime::builder()
        .tool(FnTool::new(definition, echo))
        .build()
}

/// Keywords that the walker over schemas does not know, and a value that breaks each.
fn beyond() -> [(Value, &'static str, Value); 8] {
    [
        (
            json!({"contains": {"type": "string"}}),
            "contains",
            json!([1]),
        ),
        (
            json!({"dependentRequired": {"a": ["b"]}}),
            "dependentRequired",
            json!({"a": 1}),
        ),
        (
            json!({"dependentSchemas": {"a": false}}),
            "dependentSchemas",
            json!({"a": 1}),
        ),
        (
            json!({"if": {"type": "string"}, "then": false}),
            "if",
            json!("a"),
        ),
        (
            json!({"propertyNames": {"maxLength": 1}}),
            "propertyNames",
            json!({"aa": 1}),
        ),
        (
            json!({"unevaluatedProperties": false}),
            "unevaluatedProperties",
            json!({"a": 1}),
        ),
        (json!({"pattern": "^(?=a)"}), "pattern", json!("b")),
        (json!({"format": "ipv4"}), "format", json!("localhost")),
    ]
}

fn with(mut keywords: Value) -> Value {
    keywords["description"] = "The value".into();
    json!({"type": "object", "properties": {"value": keywords}, "additionalProperties": false})
}

#[tokio::test]
#[cfg(not(feature = "validate"))]
async fn what_nothing_checks_is_a_lint() -> Result<(), BuildError> {
    for (keywords, keyword, value) in beyond() {
        let runtime = given(with(keywords))?;
        let lints = runtime.registry().report().lints;
        let lints: Vec<String> = lints.iter().map(ToString::to_string).collect();
        let lint = format!(
            "given: the schema promises `{keyword}` at /value and nothing checks it; \
             check it in the tool, or switch the feature `validate` on"
        );
        assert_eq!(lints, [lint]);
        let session = runtime.session(SessionInfo::new("promises"));
        let result = session.call("given", json!({"value": value})).await;
        assert_eq!(result.error(), None);
    }
    Ok(())
}

#[tokio::test]
#[cfg(feature = "validate")]
async fn what_the_walker_does_not_know_is_validated() -> Result<(), BuildError> {
    for (keywords, _, value) in beyond() {
        let runtime = given(with(keywords))?;
        assert!(runtime.registry().report().lints.is_empty());
        let session = runtime.session(SessionInfo::new("promises"));
        let result = session.call("given", json!({"value": value})).await;
        assert_eq!(result.error(), Some(ErrorKind::InvalidArguments));
        let text = result.text();
        let told = text.strip_prefix("error (invalid_arguments): /value");
        assert!(told.is_some(), "{text}");
    }
    Ok(())
}

#[test]
#[cfg(feature = "validate")]
fn a_schema_that_is_none_is_a_fault() {
    let error = given(with(json!({"type": "strin"}))).map_err(|error| error.to_string());
    let told = error.err().unwrap_or_default();
    assert!(
        told.contains("the arguments of `given` have a broken schema: "),
        "{told}"
    );
}

#[tokio::test]
async fn keys_of_a_pattern_are_known() -> Result<(), BuildError> {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "patternProperties": {"^x-": {"type": "string"}},
        "additionalProperties": false,
    });
    let session = given(schema)?.session(SessionInfo::new("promises"));
    let read = session.call("given", json!({"x-a": "b", "a": 1})).await;
    assert_eq!(read.error(), None, "{}", read.text());
    let refused = session.call("given", json!({"x-a": true, "y": 1})).await;
    assert_eq!(
        refused.text(),
        "error (invalid_arguments): /x-a: expected a string, got true\n/y: there is no such argument; did you mean `a`?"
    );
    Ok(())
}

#[tokio::test]
async fn what_is_too_much_to_be_checked_is_refused() -> Result<(), BuildError> {
    // Eight times as many ways to read each list that is within a list.
    let mut levels = json!({"0": {"type": "integer"}});
    for level in 1..=8 {
        let list = json!({"type": "array", "items": {"$ref": format!("#/$defs/{}", level - 1)}});
        levels[level.to_string()] = json!({"anyOf": vec![list; 8]});
    }
    let schema = json!({
        "type": "object",
        "properties": {"value": {"description": "Lists", "anyOf": [{"$ref": "#/$defs/8"}]}},
        "$defs": levels,
    });
    let session = given(schema)?.session(SessionInfo::new("promises"));
    let value = (0..8).fold(json!("wrong"), |inner, _| json!([inner]));
    let result = session.call("given", json!({"value": value})).await;
    assert_eq!(
        result.error(),
        Some(ErrorKind::InvalidArguments),
        "{}",
        result.text()
    );
    Ok(())
}

#[tokio::test]
async fn a_schema_that_is_within_itself_has_an_end() -> Result<(), BuildError> {
    let schema = json!({
        "type": "object",
        "properties": {"value": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {"description": "Never ends", "anyOf": [{"$ref": "#/$defs/node"}]}},
    });
    let session = given(schema)?.session(SessionInfo::new("promises"));
    let result = session.call("given", json!({"value": 1})).await;
    assert_eq!(
        result.error(),
        Some(ErrorKind::InvalidArguments),
        "{}",
        result.text()
    );
    Ok(())
}
