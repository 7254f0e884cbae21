//! Tools that a provider loads itself: what requests hold, and what a search is answered with.

use chatluna_tool::openai::responses;
use chatluna_tool::provider::Deltas;
use chatluna_tool::{
    BuildError, Runtime, Session, SessionInfo, ToolCall, ToolMode, ToolResult, anthropic, tool,
    tools,
};
use serde_json::{Value, json};
use std::error::Error;

/// Tells the weather of a city
#[tool(traits(effect = "read"))]
async fn forecast(city: &str) -> String {
    format!("sunny in {city}")
}

/// Sends a message to a person
#[tool(traits(effect = "read"))]
async fn mail() {}

/// Adds two numbers
#[tool(mode = "direct", traits(effect = "read"))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn session() -> Result<Session, BuildError> {
    let tools = tools![forecast, mail, add];
    let runtime = Runtime::builder().tools(tools).tool_mode(ToolMode::Search);
    Ok(runtime.build()?.session(SessionInfo::new("s")))
}

async fn searched(session: &Session, queries: &[&str]) -> Vec<ToolResult> {
    let arguments = json!({"queries": queries, "limit": 1});
    let call = ToolCall::new("tool_search", arguments).id("call_1");
    session.execute([call]).await
}

fn names(tools: &Value) -> Vec<(&str, bool)> {
    let tools = tools.as_array().into_iter().flatten();
    tools
        .map(|tool| {
            let name = tool["name"].as_str().or(tool["type"].as_str());
            (name.unwrap_or_default(), tool["defer_loading"] == true)
        })
        .collect()
}

#[tokio::test]
async fn requests_to_anthropic_hold_all_tools_and_never_change() -> Result<(), BuildError> {
    let session = session()?;
    let deferred = session.deferred_definitions();
    let before = anthropic::deferred::tools(&session.definitions(), &deferred);
    assert_eq!(
        names(&before),
        [
            ("add", false),
            ("tool_search", false),
            ("forecast", true),
            ("mail", true)
        ]
    );
    let results = searched(&session, &["weather", "zzz", "mail a person"]).await;
    let messages = anthropic::deferred::tool_messages(&results, &deferred);
    assert_eq!(
        messages,
        json!([{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "call_1", "content": [
                {"type": "tool_reference", "tool_name": "forecast"},
                {"type": "tool_reference", "tool_name": "mail"},
            ]},
            {"type": "text", "text": "nothing was found for `zzz`: try other words, one capability a \
                query; there are add, forecast, mail"},
        ]}])
    );
    assert_eq!(session.deferred_definitions().len(), 2);
    let after = anthropic::deferred::tools(&session.definitions(), &session.deferred_definitions());
    assert_eq!(after.to_string(), before.to_string());
    Ok(())
}

/// The provider may have lost what it was told before: a summary took the place of the conversation.
#[tokio::test]
async fn what_is_found_again_is_loaded_again() -> Result<(), BuildError> {
    let session = session()?;
    let deferred = session.deferred_definitions();
    let first = searched(&session, &["weather"]).await;
    let again = searched(&session, &["weather", "add numbers"]).await;
    for messages in [
        anthropic::deferred::tool_messages,
        responses::deferred::tool_messages,
    ] {
        assert_eq!(messages(&again, &deferred), messages(&first, &deferred));
    }
    Ok(())
}

#[tokio::test]
async fn a_search_that_finds_nothing_is_answered_in_words() -> Result<(), BuildError> {
    let session = session()?;
    let deferred = session.deferred_definitions();
    let results = searched(&session, &["add numbers"]).await;
    let said = "you have already: add";
    assert_eq!(
        anthropic::deferred::tool_messages(&results, &deferred),
        anthropic::tool_messages(&results)
    );
    assert_eq!(
        responses::deferred::tool_messages(&results, &deferred),
        json!([
            {"type": "tool_search_output", "call_id": "call_1", "status": "completed",
                "execution": "client", "tools": []},
            {"role": "user", "content": said},
        ])
    );
    Ok(())
}

#[tokio::test]
async fn a_search_that_fails_is_answered_in_words() -> Result<(), BuildError> {
    let session = session()?;
    let call = ToolCall::new("tool_search", json!({"query_list": 1})).id("call_1");
    let results = session.execute([call]).await;
    assert!(results[0].error().is_some());
    let items = responses::deferred::tool_messages(&results, &session.deferred_definitions());
    assert_eq!(items[0]["tools"], json!([]));
    assert_eq!(items[1]["content"], &*results[0].text());
    let messages = anthropic::deferred::tool_messages(&results, &session.deferred_definitions());
    assert_eq!(messages, anthropic::tool_messages(&results));
    Ok(())
}

#[tokio::test]
async fn requests_to_openai_hold_what_is_not_searched_for() -> Result<(), Box<dyn Error>> {
    let session = session()?;
    let deferred = session.deferred_definitions();
    let before = responses::deferred::tools(&session.definitions(), &deferred);
    assert_eq!(names(&before), [("add", false), ("tool_search", false)]);
    assert_eq!(before[1]["execution"], "client");
    assert_eq!(before[1]["parameters"]["type"], "object");

    let reply = json!({"output": [
        {"type": "tool_search_call", "execution": "server", "call_id": null, "arguments": {}},
        {"type": "tool_search_call", "execution": "client", "call_id": "call_1",
            "arguments": {"queries": ["weather"], "limit": 1}},
        {"type": "function_call", "call_id": "call_2", "name": "add", "arguments": "{\"a\":1,\"b\":2}"},
    ]});
    let results = session.execute(responses::tool_calls(&reply)?).await;
    let items = responses::deferred::tool_messages(&results, &deferred);
    let mut definition = responses::tools(&deferred)[0].clone();
    definition["defer_loading"] = true.into();
    assert_eq!(
        items,
        json!([
            {"type": "tool_search_output", "call_id": "call_1", "status": "completed",
                "execution": "client", "tools": [definition]},
            {"type": "function_call_output", "call_id": "call_2", "output": "3"},
        ])
    );
    let after = responses::deferred::tools(&session.definitions(), &session.deferred_definitions());
    assert_eq!(after.to_string(), before.to_string());

    let call = ToolCall::new("forecast", json!({"city": "Lisbon"}));
    assert_eq!(session.execute([call]).await[0].text(), "sunny in Lisbon");
    Ok(())
}

#[test]
fn a_streamed_search_is_a_call() -> Result<(), Box<dyn Error>> {
    let item = json!({"type": "tool_search_call", "execution": "client", "call_id": "call_1",
        "arguments": {"queries": ["weather"]}});
    let begun = json!({"type": "tool_search_call", "execution": "client", "call_id": "call_1",
        "arguments": null});
    let events = [
        json!({"type": "response.output_item.added", "output_index": 0, "item": begun}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"output": [item]}}),
    ];
    let mut deltas: Deltas<responses::Assembler> = responses::Deltas::new();
    for event in events {
        deltas.push(format!("data: {event}\n\n").as_bytes());
    }
    let calls = deltas.finish()?;
    assert_eq!(calls, responses::tool_calls(&json!([item]))?);
    assert_eq!((&*calls[0].name, &*calls[0].id), ("tool_search", "call_1"));
    Ok(())
}
