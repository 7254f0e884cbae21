//! Tools in a provider's words, and calls in them.

use chatluna_tool::openai::responses;
use chatluna_tool::{
    Effect, ErrorKind, FnTool, Runtime, Session, SessionInfo, ToolCall, ToolDefinition, ToolResult,
    Traits, anthropic, gemini, openai, tool, tool_type, tools,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;

type Tested = Result<(), Box<dyn Error>>;

#[tool_type]
struct Trip {
    #[serde(rename = "到达")]
    arrival: Option<String>,
    #[serde(default = "three")]
    nights: u8,
}

fn three() -> u8 {
    3
}

/// Plans a trip
#[tool(traits(effect = "read"))]
async fn plan(
    /// Where from
    #[arg(rename = "出发")]
    departure: &str,
    trip: Trip,
    #[arg(rename = "first name")] guest: Option<String>,
) -> String {
    let Trip { arrival, nights } = trip;
    let arrival = arrival.as_deref().unwrap_or("?");
    format!(
        "{departure} - {arrival}, {nights}{}",
        guest.unwrap_or_default()
    )
}

/// Adds prices up
#[tool(traits(effect = "read"))]
async fn sum(prices: BTreeMap<String, i64>) -> i64 {
    prices.values().sum()
}

/// Takes anything
#[tool(traits(effect = "read"))]
async fn anything(value: Value) -> Value {
    value
}

fn session() -> Result<Session, Box<dyn Error>> {
    let code = FnTool::new(
        ToolDefinition::new("2fa", "Makes a code").traits(Traits::new().effect(Effect::Read)),
        |_: BTreeMap<String, Value>, _| async { "123 456" },
    );
    let runtime = Runtime::builder()
        .tools(tools![plan, sum, anything])
        .tool(code);
    Ok(runtime.build()?.session(SessionInfo::new("sent")))
}

async fn answered(calls: Vec<ToolCall>) -> Result<ToolResult, Box<dyn Error>> {
    let mut results = session()?.execute(calls).await;
    results.pop().ok_or_else(|| "no call".into())
}

fn gemini_reply(name: &str, arguments: &Value) -> Value {
    json!({"candidates": [{
        "content": {"role": "model", "parts": [{"functionCall": {"name": name, "args": arguments}}]},
        "finishReason": "STOP",
    }]})
}

fn anthropic_reply(name: &str, arguments: &Value) -> Value {
    json!({"content": [{"type": "tool_use", "id": "a", "name": name, "input": arguments}]})
}

/// The keys that the model was told of a tool, from those of the arguments down.
fn keys(schema: &Value) -> Vec<&str> {
    let properties = schema["properties"].as_object();
    let named = properties.into_iter().flatten();
    named
        .flat_map(|(name, property)| [vec![name.as_str()], keys(property)].concat())
        .collect()
}

fn of_tool<'a>(tools: &'a Value, at: &str, name: &str) -> &'a Value {
    let list = tools.pointer(at).and_then(Value::as_array);
    let found = list.into_iter().flatten().find(|tool| tool["name"] == name);
    found.unwrap_or(&Value::Null)
}

#[tokio::test]
async fn arguments_come_back_under_their_own_names() -> Tested {
    let definitions = session()?.definitions();
    let tools = [anthropic::tools(&definitions), gemini::tools(&definitions)];
    let plans = [
        &of_tool(&tools[0], "", "plan")["input_schema"],
        &of_tool(&tools[1], "/0/functionDeclarations", "plan")["parameters"],
    ];
    for plan in plans {
        assert_eq!(
            keys(plan),
            [
                "arg_e42bf98c",
                "trip",
                "arg_62759afc",
                "nights",
                "first_name"
            ]
        );
    }
    let sent = json!({"arg_e42bf98c": "Oslo", "trip": {"arg_62759afc": "Rome"}});
    let (anthropic_reply, gemini_reply) =
        (anthropic_reply("plan", &sent), gemini_reply("plan", &sent));
    let mut streamed = gemini::Deltas::new();
    streamed.push_event(&gemini_reply);
    for calls in [
        anthropic::tool_calls(&anthropic_reply)?,
        gemini::tool_calls(&gemini_reply)?,
        streamed.finish()?,
    ] {
        let result = answered(calls).await?;
        assert_eq!(result.text(), "Oslo - Rome, 3");
        assert!(result.repairs().is_empty());
    }
    Ok(())
}

#[tokio::test]
async fn pieces_of_a_stream_come_back_under_their_own_names() -> Tested {
    let mut deltas = anthropic::Deltas::new();
    let call = json!({"type": "tool_use", "id": "a", "name": "plan", "input": {}});
    let events = [
        json!({"type": "content_block_start", "index": 0, "content_block": call}),
        json!({"type": "content_block_delta", "index": 0, "delta": {
            "type": "input_json_delta",
            "partial_json": r#"{"arg_e42bf98c": "Oslo", "trip": {"arg_62759afc": "Rome"}}"#,
        }}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_stop"}),
    ];
    events.iter().for_each(|event| deltas.push_event(event));
    assert_eq!(answered(deltas.finish()?).await?.text(), "Oslo - Rome, 3");
    Ok(())
}

#[tokio::test]
async fn errors_are_told_in_the_names_that_the_model_knows() -> Tested {
    let sent = json!({"arg_e42bf98c": 1, "first_nam": "Ada", "trip": {"arg_62759afc": 2}});
    for calls in [
        anthropic::tool_calls(&anthropic_reply("plan", &sent))?,
        gemini::tool_calls(&gemini_reply("plan", &sent))?,
    ] {
        let result = answered(calls).await?;
        assert_eq!(
            result.text(),
            "error (invalid_arguments): /arg_e42bf98c: expected a string, got 1\n\
             /first_nam: there is no such argument; did you mean `first_name`?\n\
             /trip/arg_62759afc: expected a string or null, got 2"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_tool_is_called_by_the_name_that_the_provider_takes() -> Tested {
    let definitions = session()?.definitions();
    let tools = gemini::tools(&definitions);
    let wire = "_2fa_666b8678";
    // A tool without arguments has no `parameters`: an object without properties is refused.
    let expected = json!({"name": wire, "description": "Makes a code"});
    assert_eq!(*of_tool(&tools, "/0/functionDeclarations", wire), expected);
    let calls = gemini::tool_calls(&gemini_reply(wire, &json!({})))?;
    let result = answered(calls).await?;
    assert_eq!(result.text(), "123 456");
    let messages = gemini::tool_messages(&[result]);
    let answer = &messages[0]["parts"][0]["functionResponse"];
    assert_eq!(answer["name"], wire);
    // Nobody else was told of that name.
    let stranger = answered(vec![ToolCall::new(wire, "{}")]).await?;
    assert_eq!(stranger.error(), Some(ErrorKind::UnknownTool));
    Ok(())
}

#[test]
fn strict_tools_are_strict_where_they_can_be() -> Tested {
    let definitions = session()?.definitions();
    let strict = |tools: &Value, at: &str| -> Vec<Option<bool>> {
        let tools = tools.as_array().into_iter().flatten();
        tools.map(|tool| tool.pointer(at)?.as_bool()).collect()
    };
    // In order: 2fa, anything, plan, sum.
    let chat = openai::strict_tools(&definitions);
    let yes = Some(true);
    assert_eq!(strict(&chat, "/function/strict"), [None, None, yes, yes]);
    let responses = responses::strict_tools(&definitions);
    let no = Some(false);
    assert_eq!(strict(&responses, "/strict"), [no, no, yes, yes]);
    let anthropic = anthropic::strict_tools(&definitions);
    assert_eq!(strict(&anthropic, "/strict"), [None, None, yes, None]);
    let plan = &chat[2]["function"]["parameters"];
    assert_eq!(
        plan["properties"]["trip"]["required"],
        json!(["到达", "nights"])
    );
    Ok(())
}

#[tokio::test]
async fn arguments_of_a_strict_tool_are_read_as_they_are_sent() -> Tested {
    let told = &openai::strict_tools(&session()?.definitions())[3]["function"]["parameters"];
    assert_eq!(told["properties"]["prices"]["type"], "array");
    for (name, arguments, text) in [
        (
            "sum",
            r#"{"prices": [{"key": "tea", "value": 2}, {"key": "egg", "value": 3}]}"#,
            "5",
        ),
        ("sum", r#"{"prices": [{"key": "tea", "value": 2}]}"#, "2"),
        ("sum", r#"{"prices": []}"#, "0"),
        (
            "plan",
            r#"{"出发": "Oslo", "trip": {"到达": null, "nights": null}}"#,
            "Oslo - ?, 3",
        ),
    ] {
        let call = json!({"function": {"name": name, "arguments": arguments}});
        let calls = openai::tool_calls(&json!({"tool_calls": [call]}))?;
        assert_eq!(answered(calls).await?.text(), text, "{arguments}");
    }
    Ok(())
}

#[tokio::test]
async fn a_list_that_is_no_map_is_refused() -> Tested {
    for prices in [
        r#"[{"key": "tea", "value": 2}, {"key": "tea", "value": 3}]"#,
        r#"[{"key": "tea"}]"#,
        r#"[{"key": "tea", "value": 2, "unit": "EUR"}]"#,
        r#"[{"key": 1, "value": 2}, {"key": "egg", "value": 3}]"#,
        "[2]",
    ] {
        let arguments = format!(r#"{{"prices": {prices}}}"#);
        let result = answered(vec![ToolCall::new("sum", arguments)]).await?;
        assert_eq!(
            result.error(),
            Some(ErrorKind::InvalidArguments),
            "{prices}"
        );
    }
    Ok(())
}

#[test]
fn a_description_is_cut_where_the_provider_refuses_more() {
    let long = "word ".repeat(300);
    let tool = [ToolDefinition::new("long", long.clone())];
    let sent = &openai::tools(&tool)[0]["function"]["description"];
    assert_eq!(sent.as_str().map(|text| text.chars().count()), Some(1_020));
    assert_eq!(anthropic::tools(&tool)[0]["description"], long);
}
