//! One call from its JSON to its answer.

use chatluna_tool::{
    BuildError, CallContext, Content, ErrorKind, Json, PermissionPolicy, Runtime, Session,
    SessionInfo, ToolCall, ToolError, ToolResult, tool, tool_type,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// Repeats its arguments
#[tool(traits(parallel, effect = "read"))]
async fn typed(text: String, count: u8, ratio: Option<f64>, tags: Option<Vec<String>>) -> String {
    format!("{text} {count} {ratio:?} {tags:?}")
}

/// Takes nothing
#[tool(traits(parallel, effect = "read"))]
async fn nothing() {}

/// Takes anything
#[tool(traits(parallel, effect = "read"))]
async fn anything(value: Value) -> Value {
    value
}

#[tool_type]
struct Place {
    city: String,
    inside: Option<Box<Place>>,
}

/// Takes a struct and a map
#[tool(traits(parallel, effect = "read"))]
async fn nested(place: Place, counts: HashMap<String, u32>) -> Json<Place> {
    let city = format!("{} {}", place.city, counts.len());
    let inside = place.inside;
    Json(Place { city, inside })
}

/// Fails in the way that it is told
#[tool(traits(parallel, effect = "read"))]
async fn failing(how: String) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    match &*how {
        "own" => Err(ToolError::retry("try another"))?,
        "io" => Err(std::io::Error::other("disk is full"))?,
        _ => Ok("did not".to_owned()),
    }
}

/// Shows a chain as `anyhow` does
#[tool(traits(parallel, effect = "read"))]
async fn chained() -> Result<(), Chain> {
    Err(Chain)
}

struct Chain;

impl std::fmt::Display for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if f.alternate() {
            "outer: inner"
        } else {
            "outer"
        })
    }
}

/// Returns maybe
#[tool(traits(parallel, effect = "read"))]
async fn maybe(give: bool) -> Option<i64> {
    give.then_some(7)
}

/// Returns parts
#[tool(traits(parallel, effect = "read"))]
async fn parts() -> Vec<Content> {
    vec!["one".into(), "two".into()]
}

struct Greeting(&'static str);
struct Shared(&'static str);
struct OfSession(u32);

/// Uses what is injected, in any order
#[tool(traits(parallel, effect = "read"))]
async fn injected(
    greeting: &Greeting,
    name: String,
    shared: &Shared,
    call: &CallContext,
    number: &OfSession,
) -> String {
    let (session, tool) = (&call.session().id, call.name());
    format!(
        "{} {name} {} {session} {tool} {} {}",
        greeting.0,
        shared.0,
        call.id(),
        number.0
    )
}

/// Runs on a thread that may block
#[tool(traits(parallel, effect = "read"))]
fn blocking(call: &CallContext, label: String) -> String {
    let _ = call;
    format!("{label} {:?}", std::thread::current().id())
}

/// Seen by admins
#[tool(visibility = |session| session.id == "admin", traits(effect = "read"))]
async fn secret_plan() {}

fn runtime() -> Result<Runtime, BuildError> {
    Runtime::builder()
        .collect()
        .policy(PermissionPolicy::allow_all())
        .state(Greeting("hi"))
        .state(Arc::new(Shared("shared")))
        .session_state::<OfSession>()
        .build()
}

fn session() -> Result<Session, BuildError> {
    Ok(runtime()?.session(SessionInfo::new("s").state(OfSession(4))))
}

fn text(result: &ToolResult) -> String {
    result.text().into_owned()
}

#[tokio::test]
async fn arguments_become_typed_values() -> Result<(), BuildError> {
    let session = session()?;
    let all = json!({"text": "a\"b", "count": 3, "ratio": 0.5, "tags": ["x"]});
    assert_eq!(
        text(&session.call("typed", all).await),
        r#"a"b 3 Some(0.5) Some(["x"])"#
    );
    let few = " { \"count\" : 3 ,\n\"\\u0074ext\":\"城\" , \"ratio\": null }\n";
    assert_eq!(text(&session.call("typed", few).await), "城 3 None None");
    Ok(())
}

#[tokio::test]
async fn every_bad_argument_is_reported_at_once() -> Result<(), BuildError> {
    let bad = r#"{"cuont": {"deep": ["]}"]}, "count": 300, "tags": [1], "ratio": 1, "ratio": 2, "a/b~": 0}"#;
    let result = session()?.call("typed", bad).await;
    assert_eq!(result.error(), Some(ErrorKind::InvalidArguments));
    assert_eq!(
        text(&result),
        "error (invalid_arguments): \
         /cuont: there is no such argument; did you mean `count`?\n\
         /count: invalid value: integer `300`, expected u8\n\
         /tags: invalid type: integer `1`, expected a string\n\
         /ratio: is given twice\n\
         /a~1b~0: there is no such argument\n\
         /text: is required and missing"
    );
    Ok(())
}

#[tokio::test]
async fn blank_arguments_are_an_empty_object() -> Result<(), BuildError> {
    let session = session()?;
    for blank in ["", "  \n", "null", "{}", " { } "] {
        assert_eq!(
            text(&session.call("nothing", blank).await),
            "done",
            "{blank:?}"
        );
    }
    let unknown = session.call("nothing", r#"{"x": 1}"#).await;
    assert_eq!(
        text(&unknown),
        "error (invalid_arguments): /x: there is no such argument"
    );
    Ok(())
}

#[tokio::test]
async fn text_that_is_no_object_is_malformed() -> Result<(), BuildError> {
    let session = session()?;
    for bad in [
        "{",
        "}",
        "{\"text\"",
        "{\"text\":",
        "{\"text\":\"a",
        "{\"text\":\"a\" \"count\":1}",
        "{\"text\":\"a\",}",
        "{,}",
        "{\"text\":\"a\"} {}",
        "{\"text\":\"a\"}x",
        "{text:1}",
        "{\"te\nxt\":1}",
        "{\"text\":nul}",
        "[1]",
        "\"text\"",
        "7",
        "true",
        "{\"text\\x\":1}",
        "\u{feff}{}",
    ] {
        let result = session.call("typed", bad).await;
        assert_eq!(
            result.error(),
            Some(ErrorKind::MalformedArguments),
            "{bad:?}: {result:?}"
        );
        assert!(result.text().ends_with("nothing was run"), "{result:?}");
    }
    let broken = session.call("typed", "{\"text\": \"a").await;
    assert_eq!(
        text(&broken),
        "error (malformed_arguments): the arguments are not valid JSON: \
         EOF while parsing a string at line 1 column 11; nothing was run"
    );
    let list = session.call("typed", "[]").await;
    assert_eq!(
        text(&list),
        "error (malformed_arguments): the arguments must be a JSON object, not an array; nothing was run"
    );
    Ok(())
}

#[tokio::test]
async fn hostile_arguments_fail_alone() -> Result<(), BuildError> {
    let deep = format!("{{\"value\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let deeper = format!("{{\"x\":{}", "[".repeat(1_000_000));
    let long = format!("{{\"value\":\"{}\"}}", "a".repeat(10 << 20));
    let unknown: String = (0..100_000)
        .map(|index| format!("\"k{index}\":0,"))
        .collect();
    let unknown = format!("{{{unknown}\"value\":1}}");
    let surrogate = r#"{"value":"\ud800"}"#;
    let number = format!("{{\"value\":{}}}", "9".repeat(1_000));
    let calls = [
        &*deep,
        &deeper,
        &long,
        &unknown,
        surrogate,
        &number,
        r#"{"value":1}"#,
    ];
    let calls = calls.map(|arguments| ToolCall::new("anything", arguments));
    let results = session()?.execute(calls).await;
    let kinds: Vec<_> = results.iter().map(ToolResult::error).collect();
    let (invalid, malformed) = (ErrorKind::InvalidArguments, ErrorKind::MalformedArguments);
    let expected = [
        Some(invalid),
        Some(malformed),
        Some(invalid),
        Some(invalid),
        Some(invalid),
        Some(invalid),
        None,
    ];
    assert_eq!(
        kinds,
        expected,
        "{:?}",
        results.iter().map(text).collect::<Vec<_>>()
    );
    assert!(results.iter().all(|result| result.text().len() < 3_000));
    Ok(())
}

#[tokio::test]
async fn unknown_and_hidden_tools_are_the_same() -> Result<(), BuildError> {
    let session = session()?;
    let hidden = session.call("secret_plan", "{}").await;
    let unknown = session.call("secret_plam", "{}").await;
    assert_eq!(hidden.error(), Some(ErrorKind::UnknownTool));
    assert_eq!(text(&hidden).replace("plan", "plam"), text(&unknown));
    assert!(!text(&unknown).contains("secret_plan"), "{unknown:?}");
    assert!(
        session
            .definitions()
            .iter()
            .all(|tool| tool.name() != "secret_plan")
    );
    let near = session.call("typd", "{}").await;
    assert_eq!(
        text(&near),
        "error (unknown_tool): no tool is named `typd`; did you mean `typed`?"
    );
    let admin = runtime()?.session(SessionInfo::new("admin"));
    assert_eq!(text(&admin.call("secret_plan", "{}").await), "done");
    Ok(())
}

#[tokio::test]
async fn results_are_normalised() -> Result<(), BuildError> {
    let session = session()?;
    for (name, arguments, expected) in [
        ("nothing", json!({}), "done"),
        ("maybe", json!({"give": true}), "7"),
        ("maybe", json!({"give": false}), "nothing found"),
        ("parts", json!({}), "one\ntwo"),
        (
            "anything",
            json!({"value": {"b": [1], "a": 2}}),
            r#"{"b":[1],"a":2}"#,
        ),
        ("failing", json!({"how": "not"}), "did not"),
        (
            "failing",
            json!({"how": "own"}),
            "error (retry): try another",
        ),
        (
            "failing",
            json!({"how": "io"}),
            "error (failed): disk is full",
        ),
        ("chained", json!({}), "error (failed): outer: inner"),
    ] {
        assert_eq!(text(&session.call(name, arguments).await), expected);
    }
    Ok(())
}

#[tokio::test]
async fn json_is_text_and_data_and_has_a_schema() -> Result<(), BuildError> {
    let session = session()?;
    let place = json!({"city": "a", "inside": {"city": "b", "inside": null}});
    let result = session
        .call("nested", json!({"place": place, "counts": {"x": 1}}))
        .await;
    let expected = json!({"city": "a 1", "inside": {"city": "b", "inside": null}});
    assert_eq!(result.structured(), Some(&expected));
    assert_eq!(text(&result), expected.to_string());
    let definitions = session.definitions();
    let nested = definitions.iter().find(|tool| tool.name() == "nested");
    let output = nested.and_then(|tool| tool.output());
    assert_eq!(output.map(|schema| &schema["type"]), Some(&json!("object")));
    Ok(())
}

#[tokio::test]
async fn references_are_injected() -> Result<(), BuildError> {
    let call = ToolCall::new("injected", json!({"name": "li"})).id("c1");
    let results = session()?.execute([call]).await;
    assert_eq!(text(&results[0]), "hi li shared s injected c1 4");
    Ok(())
}

#[tokio::test]
async fn a_session_goes_before_the_runtime_and_may_lack_what_was_promised() -> Result<(), BuildError>
{
    let runtime = runtime()?;
    let own = SessionInfo::new("s")
        .state(OfSession(1))
        .state(Greeting("yo"));
    let result = runtime
        .session(own)
        .call("injected", json!({"name": "li"}))
        .await;
    assert!(text(&result).starts_with("yo li"), "{result:?}");
    let lacking = runtime
        .session(SessionInfo::new("s"))
        .call("injected", json!({"name": "li"}))
        .await;
    assert_eq!(lacking.error(), Some(ErrorKind::Unavailable));
    assert_eq!(
        text(&lacking),
        "error (unavailable): this session has no state of type `calls::OfSession`"
    );
    Ok(())
}

#[tokio::test]
async fn a_plain_fn_runs_on_another_thread() -> Result<(), BuildError> {
    let result = session()?.call("blocking", json!({"label": "on"})).await;
    assert!(text(&result).starts_with("on ThreadId"), "{result:?}");
    assert_ne!(
        text(&result),
        format!("on {:?}", std::thread::current().id())
    );
    Ok(())
}

#[test]
fn a_schema_says_what_the_walker_enforces() -> Result<(), BuildError> {
    let definitions = session()?.definitions();
    let schema = |name: &str| {
        let tool = definitions.iter().find(|tool| tool.name() == name);
        tool.map(|tool| tool.parameters().to_string())
            .unwrap_or_default()
    };
    assert_eq!(
        schema("typed"),
        concat!(
            r#"{"type":"object","properties":{"text":{"type":"string"},"#,
            r#""count":{"type":"integer","minimum":0,"maximum":255},"ratio":{"type":"number"},"#,
            r#""tags":{"type":"array","items":{"type":"string"}}},"#,
            r#""required":["text","count"],"additionalProperties":false}"#,
        )
    );
    assert_eq!(
        schema("nothing"),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
    assert!(schema("nested").contains(r##""$ref":"#/$defs/Place""##));
    assert!(schema("nested").contains(r#""$defs":{"Place""#));
    Ok(())
}

#[test]
fn without_tokio_a_ready_call_runs_and_others_say_what_they_need() -> Result<(), BuildError> {
    let session = session()?;
    let run = |calls: Vec<ToolCall>| futures_executor(session.execute(calls));
    let lone = run(vec![ToolCall::new("nothing", "{}")]);
    assert_eq!(text(&lone[0]), "done");
    let together = run(vec![
        ToolCall::new("nothing", "{}"),
        ToolCall::new("nothing", "{}"),
    ]);
    let blocking = run(vec![ToolCall::new("blocking", json!({"label": ""}))]);
    for result in together.iter().chain(&blocking) {
        assert_eq!(result.error(), Some(ErrorKind::Unavailable));
        assert!(result.text().contains("tokio"), "{result:?}");
    }
    Ok(())
}

/// Polls to the end on this thread, with no runtime around.
fn futures_executor<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

#[test]
fn the_function_stays_an_ordinary_function() {
    let value = futures_executor(typed("a".to_owned(), 1, None, None));
    assert_eq!(value, "a 1 None None");
}

#[tool_type]
enum Unit {
    C,
    F,
}

/// Takes an enum, or not
#[tool(traits(parallel, effect = "read"))]
async fn in_unit(unit: Option<Unit>) -> &'static str {
    match unit {
        None => "none",
        Some(Unit::C) => "celsius",
        Some(Unit::F) => "fahrenheit",
    }
}

#[tokio::test]
async fn an_optional_enum_is_not_advertised_as_null() -> Result<(), BuildError> {
    let session = session()?;
    let tool = session
        .definition("in_unit")
        .map(|tool| tool.parameters()["properties"]["unit"].clone());
    assert_eq!(
        tool.ok(),
        Some(json!({"type": "string", "enum": ["C", "F"]}))
    );
    assert_eq!(
        text(&session.call("in_unit", json!({"unit": "F"})).await),
        "fahrenheit"
    );
    assert_eq!(
        text(&session.call("in_unit", json!({"unit": null})).await),
        "none"
    );
    Ok(())
}

#[tokio::test]
async fn a_closure_gets_objects_only() -> Result<(), BuildError> {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Transfer {
        from: String,
        to: String,
    }
    let definition = |name| {
        let definition = chatluna_tool::ToolDefinition::new(name, "Takes an object");
        definition.traits(chatluna_tool::Traits::new().effect(chatluna_tool::Effect::Read))
    };
    let transfer =
        chatluna_tool::FnTool::new(definition("transfer"), |transfer: Transfer, _| async move {
            format!("{} {}", transfer.from, transfer.to)
        });
    let any = chatluna_tool::FnTool::new(definition("any"), |value: Value, _| async move { value });
    let runtime = Runtime::builder().tool(transfer).tool(any).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    for bad in [r#"["x", "y"]"#, "5", "\"s\""] {
        for name in ["transfer", "any"] {
            let result = session.call(name, bad).await;
            assert_eq!(
                result.error(),
                Some(ErrorKind::MalformedArguments),
                "{name} {bad}"
            );
        }
    }
    assert_eq!(
        text(
            &session
                .call("transfer", r#"{"from": "x", "to": "y"}"#)
                .await
        ),
        "x y"
    );
    let any = session
        .definition("any")
        .map(|tool| tool.parameters().to_string());
    assert_eq!(
        any.ok().as_deref(),
        Some(r#"{"type":"object","properties":{},"additionalProperties":true}"#)
    );
    Ok(())
}
