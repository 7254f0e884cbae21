//! Tools that a model has to search for: what it is told of, what it finds, what stays where it is.

use chatluna_tool::{
    BuildError, Effect, ErrorKind, FnTool, Owner, PermissionMode, PermissionPolicy, Rule, Runtime,
    RuntimeBuilder, Session, SessionInfo, Tool, ToolCall, ToolDefinition, ToolFilter, ToolMode,
    ToolResult, Traits, openai, tool, tools,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// Tells the weather of a city
#[tool(traits(effect = "read"))]
async fn forecast(
    /// The city's name
    city: &str,
) -> String {
    format!("sunny in {city}")
}

/// Sends a message to a person
#[tool(keywords = ["newsletter"], traits(effect = "read"))]
async fn mail() -> &'static str {
    "sent"
}

/// Adds two numbers
#[tool(mode = "direct", traits(effect = "read"))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// 查询股票的价格
#[tool(traits(deferred, effect = "read"))]
async fn stock_price() -> &'static str {
    "42"
}

fn builder() -> RuntimeBuilder {
    Runtime::builder().tools(tools![forecast, mail, add, stock_price])
}

fn searching() -> Result<Session, BuildError> {
    let runtime = builder().tool_mode(ToolMode::Search).build()?;
    Ok(runtime.session(SessionInfo::new("s")))
}

fn names(session: &Session) -> Vec<String> {
    let definitions = session.definitions();
    definitions
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect()
}

async fn called(session: &Session, name: &str, arguments: Value) -> ToolResult {
    let call = ToolCall::new(name, arguments);
    session.execute([call]).await.remove(0)
}

async fn searched(session: &Session, arguments: Value) -> ToolResult {
    called(session, "tool_search", arguments).await
}

#[tokio::test]
async fn a_model_finds_what_it_needs_and_calls_it() -> Result<(), BuildError> {
    let session = searching()?;
    assert_eq!(names(&session), ["add", "tool_search"]);
    let answer = searched(
        &session,
        json!({"queries": ["weather in Lisbon"], "limit": 1}),
    )
    .await;
    assert_eq!(
        answer.text(),
        "`forecast` can be called from now on:\n\
         {\"name\":\"forecast\",\"description\":\"Tells the weather of a city\",\"parameters\":\
         {\"type\":\"object\",\"properties\":{\"city\":{\"description\":\"The city's name\",\
         \"type\":\"string\"}},\"required\":[\"city\"],\"additionalProperties\":false}}"
    );
    assert_eq!(
        answer.structured(),
        Some(&json!({"loaded": ["forecast"], "known": [], "notes": []}))
    );
    assert_eq!(names(&session), ["add", "tool_search", "forecast"]);
    let sunny = called(&session, "forecast", json!({"city": "Lisbon"})).await;
    assert_eq!(sunny.text(), "sunny in Lisbon");
    let again = searched(&session, json!({"queries": ["weather", "add numbers"]})).await;
    assert_eq!(again.text(), "you have already: forecast, add");
    Ok(())
}

#[tokio::test]
async fn the_tools_own_mode_goes_before_the_sessions_and_that_before_the_runtimes()
-> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    assert_eq!(names(&session), ["add", "forecast", "mail", "tool_search"]);
    session.set_tool_mode(ToolMode::Search);
    assert_eq!(names(&session), ["add", "tool_search"]);
    session.set_tool_mode(None);
    assert!(runtime.set_tool_mode_of("mail", ToolMode::Search));
    assert!(runtime.set_tool_mode_of("stock_price", ToolMode::Direct));
    assert!(!runtime.set_tool_mode_of("nobodys", ToolMode::Direct));
    assert_eq!(
        names(&session),
        ["add", "forecast", "stock_price", "tool_search"]
    );
    runtime.set_tool_mode_of("mail", None);
    runtime.set_tool_mode(ToolMode::Search);
    assert_eq!(names(&session), ["add", "stock_price", "tool_search"]);
    Ok(())
}

#[tokio::test]
async fn many_tools_are_searched_for_and_few_are_told_of() -> Result<(), BuildError> {
    let runtime = builder().tool_mode(ToolMode::Auto(4)).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    assert_eq!(names(&session), ["add", "forecast", "mail", "tool_search"]);
    let traits = Traits::new().effect(Effect::Read);
    let fifth = ToolDefinition::new("fifth", "Is one too many").traits(traits);
    let fifth = FnTool::new(fifth, |_: Value, _| async {});
    let guard = runtime.register(Owner::Global, fifth)?;
    assert_eq!(names(&session), ["add", "tool_search"]);
    // What the session does not see does not count.
    let narrowed = session.filter(ToolFilter::new().exclude(["mail"]));
    assert_eq!(names(&session), ["add", "fifth", "forecast", "tool_search"]);
    drop((guard, narrowed));
    // Nor does a number help where one tool is too long.
    let long = ToolDefinition::new("long", "many words of it ".repeat(10_000)).traits(traits);
    let long = FnTool::new(long, |_: Value, _| async {});
    runtime.set_tool_mode(ToolMode::Auto(100));
    let _guard = runtime.register(Owner::Global, long)?;
    assert_eq!(names(&session), ["add", "tool_search"]);
    Ok(())
}

#[tokio::test]
async fn a_call_before_the_search_is_answered_with_the_definition() -> Result<(), BuildError> {
    let session = searching()?;
    let early = called(&session, "forecast", json!({"town": "Lisbon"})).await;
    assert_eq!(early.error(), Some(ErrorKind::NotLoaded));
    let text = early.text();
    assert!(
        text.contains("`forecast` was not run, for what it takes was not known yet"),
        "{text}"
    );
    assert!(text.contains("\"required\":[\"city\"]"), "{text}");
    assert_eq!(names(&session), ["add", "tool_search", "forecast"]);
    let sunny = called(&session, "forecast", json!({"city": "Lisbon"})).await;
    assert_eq!(sunny.error(), None);
    // The program itself need not search.
    assert_eq!(session.call("mail", json!({})).await.text(), "sent");
    // Another session has its own.
    assert_eq!(
        names(&session.child(ToolFilter::new())),
        ["add", "tool_search"]
    );
    Ok(())
}

#[test]
fn what_it_takes_is_described_in_few_words() -> Result<(), BuildError> {
    let definitions = searching()?.definitions();
    let schema = definitions[1].parameters();
    assert_eq!(schema["description"], Value::Null);
    assert_eq!(
        schema["properties"]["limit"]["type"],
        json!(["integer", "null"])
    );
    Ok(())
}

#[tokio::test]
async fn tools_are_loaded_by_name() -> Result<(), BuildError> {
    let session = searching()?;
    let answer = searched(
        &session,
        json!({"queries": ["select:mail,forcast, stock_price"]}),
    )
    .await;
    let text = answer.text();
    assert!(
        text.starts_with("2 tools can be called from now on:\n{\"name\":\"mail\""),
        "{text}"
    );
    assert!(
        text.ends_with("no tool is named `forcast`; did you mean `forecast`?"),
        "{text}"
    );
    assert_eq!(
        names(&session),
        ["add", "tool_search", "mail", "stock_price"]
    );
    Ok(())
}

#[tokio::test]
async fn what_stands_in_the_request_stays_whatever_is_loaded() -> Result<(), BuildError> {
    let session = searching()?;
    let sent = |session: &Session| openai::tools(&session.definitions());
    let mut before = sent(&session);
    for query in [
        "newsletter",
        "select:forecast",
        "股票",
        "add",
        "nothing at all",
    ] {
        searched(&session, json!({"queries": [query]})).await;
        let after = sent(&session);
        let (before_list, after_list) = (before.as_array(), after.as_array());
        let length = before_list.map_or(0, Vec::len);
        assert_eq!(
            before_list.map(|list| &list[..]),
            after_list.and_then(|list| list.get(..length)),
            "{query}"
        );
        before = after;
    }
    assert_eq!(
        names(&session),
        ["add", "tool_search", "mail", "forecast", "stock_price"]
    );
    Ok(())
}

#[tokio::test]
async fn whatever_is_asked_is_answered() -> Result<(), BuildError> {
    let session = searching()?;
    let long = "x ".repeat(50_000);
    for arguments in [
        json!({}),
        json!(null),
        json!({"queries": null}),
        json!({"queries": []}),
        json!({"queries": [""]}),
        json!({"queries": "the of and"}),
        json!({"queries": ["?!,."]}),
        json!({"queries": ["😀"]}),
        json!({"queries": ["[.*+(\\"]}),
        json!({"queries": [long]}),
        json!({"queries": ["select:"]}),
        json!({"queries": ["zzz"], "limit": 0}),
        json!({"queries": ["zzz"], "limit": 10_000}),
        json!({"queries": ["zzz"], "limit": "five"}),
        json!({"queries": vec!["zzz"; 100]}),
    ] {
        let answer = searched(&session, arguments.clone()).await;
        let shown: String = arguments.to_string().chars().take(80).collect();
        assert_eq!(answer.error(), None, "{shown}: {}", answer.text());
        let text = answer.text();
        assert!(!text.is_empty() && text.len() < 4_000, "{shown}: {text}");
    }
    assert_eq!(names(&session), ["add", "tool_search"]);
    Ok(())
}

#[tokio::test]
async fn an_empty_answer_says_why() -> Result<(), BuildError> {
    let session = searching()?;
    let text = |answer: ToolResult| answer.text().into_owned();
    assert_eq!(
        text(searched(&session, json!({"queries": ["forcasd"]})).await),
        "nothing was found for `forcasd`: try other words, one capability a query; \
         the nearest is `forecast`"
    );
    let english = builder().without("stock_price").tool_mode(ToolMode::Search);
    let runtime = english.build()?;
    let session = runtime.session(SessionInfo::new("s"));
    assert_eq!(
        text(searched(&session, json!({"queries": ["音乐"]})).await),
        "nothing was found for `音乐`: the tools are described in English, so write it in that; \
         there are add, forecast, mail"
    );
    let _all = session.filter(ToolFilter::new().include(Vec::<String>::new()));
    assert_eq!(
        text(searched(&session, json!({"queries": ["weather"]})).await),
        "there are no tools to find"
    );
    Ok(())
}

async fn found(session: &Session, query: &str) -> Vec<String> {
    let found = session.search(query, 10).await;
    found.iter().map(|tool| tool.name().to_owned()).collect()
}

#[tokio::test]
async fn nothing_is_found_that_would_be_refused() -> Result<(), BuildError> {
    let write = ToolDefinition::new("erase_disk", "Erases the disk of the computer");
    let erase = FnTool::new(write, |_: Value, _| async {});
    let policy = PermissionPolicy::allow_all()
        .mode(PermissionMode::Files)
        .rule(Rule::deny("tool:mail"));
    let runtime = builder()
        .tool(erase)
        .policy(policy)
        .tool_mode(ToolMode::Search)
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let hidden = SessionInfo::new("t").filter(ToolFilter::new().exclude(["forecast"]));
    let hidden = runtime.session(hidden);
    assert_eq!(found(&session, "newsletter").await, Vec::<String>::new());
    assert_eq!(found(&session, "weather").await, ["forecast"]);
    assert_eq!(found(&hidden, "weather").await, Vec::<String>::new());
    let answer = searched(&hidden, json!({"queries": ["select:forecast,mail"]})).await;
    assert!(
        answer.text().contains("no tool is named `forecast`"),
        "{}",
        answer.text()
    );
    Ok(())
}

#[tokio::test]
async fn a_policy_that_refuses_an_effect_hides_it_from_the_search() -> Result<(), BuildError> {
    let erase = ToolDefinition::new("erase_disk", "Erases the disk of the computer");
    let erase = FnTool::new(erase, |_: Value, _| async {});
    let policy = PermissionPolicy::new().mode(PermissionMode::ReadOnly);
    let runtime = builder().tool(erase).policy(policy).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    assert!(session.search("erase the disk", 5).await.is_empty());
    Ok(())
}

fn numbered(count: usize, name: impl Fn(usize) -> String) -> Vec<Arc<dyn Tool>> {
    let traits = Traits::new().effect(Effect::Read);
    let tool = |number| {
        let text = format!("Does the thing of number {number}. And more.");
        let definition = ToolDefinition::new(name(number), text).traits(traits);
        Arc::new(FnTool::new(definition, |_: Value, _| async {})) as Arc<dyn Tool>
    };
    (0..count).map(tool).collect()
}

#[test]
fn the_description_lists_what_there_is_within_a_budget() -> Result<(), BuildError> {
    let described = |tools: Vec<Arc<dyn Tool>>| -> Result<String, BuildError> {
        let runtime = Runtime::builder().tool_mode(ToolMode::Search).build()?;
        runtime.register_all(Owner::Global, tools)?.keep();
        let session = runtime.session(SessionInfo::new("s"));
        Ok(session.definitions()[0].description().to_owned())
    };
    let few = described(numbered(2, |number| format!("tool_{number}")))?;
    assert_eq!(
        few,
        "Finds tools and loads them: those listed here cannot be called before. Write one \
         capability a query, several queries at once rather than one long one. The tools are \
         described in English: write the queries in it.\n\n2 tools to find:\n\
         tool_0: Does the thing of number 0\ntool_1: Does the thing of number 1"
    );
    let some = described(numbered(300, |number| format!("tool_{number:03}")))?;
    assert!(
        some.contains("300 tools to find:\ntool_000, tool_001, "),
        "{some}"
    );
    let many = described(numbered(5_000, |number| {
        format!("server{}__tool_{number}", number % 3)
    }))?;
    assert!(
        many.ends_with(
            "5000 tools to find:\n\
             Names begin with: server0 (1667), server1 (1667), server2 (1666)"
        ),
        "{many}"
    );
    let scattered = described(numbered(5_000, |number| format!("group{number}_tool")))?;
    assert!(scattered.len() < 20_000, "{}", scattered.len());
    assert!(scattered.ends_with(" more groups"), "{scattered}");
    Ok(())
}
