//! What searches teach: which calls make a query an example of a tool, and what that moves.

use chatluna_tool::{
    BuildError, Effect, ErrorKind, FilterGuard, FnTool, PermissionPolicy, Rule, Runtime,
    RuntimeBuilder, Session, SessionInfo, ToolCall, ToolDefinition, ToolError, ToolFilter,
    ToolMode, ToolResult, Traits, tool, tools,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Cuts pipes of copper
#[tool(traits(parallel, effect = "read"))]
async fn cut() {}

/// Bends pipes of copper
#[tool(traits(parallel, effect = "read"))]
async fn bend() {}

/// Heats pipes of copper
#[tool(traits(parallel, effect = "read"))]
async fn heat(degrees: u32) -> Result<&'static str, ToolError> {
    match degrees {
        0..1000 => Ok("hot"),
        _ => Err(ToolError::new("it has melted; heat it less")),
    }
}

/// Polishes lamps
#[tool(traits(parallel, effect = "read"))]
async fn polish() {
    tokio::time::sleep(Duration::from_secs(1)).await;
}

type Examples = BTreeMap<String, Vec<String>>;

fn builder() -> RuntimeBuilder {
    let builder = Runtime::builder().tools(tools![cut, bend, heat, polish]);
    builder.tool_mode(ToolMode::Search)
}

fn learning() -> Result<(Runtime, Session), BuildError> {
    let runtime = builder().learn_from_searches().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    // A model would be told of what a tool takes before it calls it.
    session.set_tool_mode(ToolMode::Direct);
    runtime.set_tool_mode_of("polish", ToolMode::Search);
    Ok((runtime, session))
}

async fn called(session: &Session, name: &str, arguments: Value) -> ToolResult {
    let call = ToolCall::new(name, arguments);
    session.execute([call]).await.remove(0)
}

async fn searched(session: &Session, queries: &[&str]) {
    let result = called(session, "tool_search", json!({"queries": queries})).await;
    assert_eq!(result.error(), None, "{}", result.text());
}

fn examples(all: &[(&str, &[&str])]) -> Examples {
    let owned = |queries: &[&str]| queries.iter().map(|&query| query.to_owned()).collect();
    let all = all.iter();
    all.map(|(tool, queries)| ((*tool).to_owned(), owned(queries)))
        .collect()
}

async fn found(session: &Session, query: &str) -> Vec<String> {
    let found = session.search(query, 100).await;
    found.iter().map(|tool| tool.name().to_owned()).collect()
}

#[tokio::test]
async fn a_query_that_led_to_one_tool_is_its_example_and_moves_the_ranking()
-> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    let other = runtime.session(SessionInfo::new("other"));
    assert_eq!(found(&other, "copper elbow").await, ["bend", "cut", "heat"]);
    assert_eq!(found(&other, "elbow").await, [""; 0]);
    searched(&session, &["copper for an elbow"]).await;
    assert_eq!(runtime.learned(), examples(&[]));
    called(&session, "cut", json!({})).await;
    called(&session, "cut", json!({})).await;
    let learned = examples(&[("cut", &["copper for an elbow"])]);
    assert_eq!(runtime.learned(), learned);
    assert_eq!(found(&other, "copper elbow").await, ["cut", "bend", "heat"]);
    assert_eq!(found(&other, "elbow").await, ["cut"]);
    // What is given out can be taken back, and ranks without learning on.
    let next = builder().learned(runtime.learned()).build()?;
    let session = next.session(SessionInfo::new("s"));
    assert_eq!(found(&session, "elbow").await, ["cut"]);
    searched(&session, &["copper"]).await;
    called(&session, "cut", json!({})).await;
    assert_eq!(next.learned(), learned);
    Ok(())
}

#[tokio::test]
async fn nothing_is_learned_at_first() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    searched(&session, &["copper for an elbow"]).await;
    assert_eq!(called(&session, "cut", json!({})).await.error(), None);
    assert_eq!(runtime.learned(), examples(&[]));
    Ok(())
}

#[tokio::test]
async fn with_nothing_learned_every_ranking_is_as_it_was() -> Result<(), BuildError> {
    let plain = builder().build()?.session(SessionInfo::new("s"));
    let (_runtime, session) = learning()?;
    for query in [
        "copper",
        "bend pipes",
        "lamps, copper",
        "heat",
        "cut",
        "",
        "黄铜",
    ] {
        assert_eq!(
            found(&session, query).await,
            found(&plain, query).await,
            "{query}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn the_call_of_a_second_tool_takes_it_back() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    searched(&session, &["copper for an elbow"]).await;
    for tool in ["cut", "bend", "cut"] {
        called(&session, tool, json!({})).await;
    }
    assert_eq!(runtime.learned(), examples(&[]));
    assert_eq!(found(&session, "elbow").await, [""; 0]);
    // One that the query did not find says nothing about it.
    searched(&session, &["copper for an elbow"]).await;
    called(&session, "bend", json!({})).await;
    called(&session, "polish", json!({})).await;
    let learned = examples(&[("bend", &["copper for an elbow"])]);
    assert_eq!(runtime.learned(), learned);
    // Nor does this take back what an earlier search taught.
    searched(&session, &["copper for an elbow"]).await;
    called(&session, "bend", json!({})).await;
    called(&session, "cut", json!({})).await;
    assert_eq!(runtime.learned(), learned);
    Ok(())
}

#[tokio::test]
async fn calls_that_fail_do_not_count() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    searched(&session, &["warm copper"]).await;
    let melted = called(&session, "heat", json!({"degrees": 5000})).await;
    let unread = called(&session, "heat", json!({"degrees": "much"})).await;
    assert_eq!(melted.error(), Some(ErrorKind::Failed));
    assert_eq!(unread.error(), Some(ErrorKind::InvalidArguments));
    assert_eq!(runtime.learned(), examples(&[]));
    called(&session, "bend", json!({})).await;
    called(&session, "heat", json!({"degrees": 5000})).await;
    assert_eq!(runtime.learned(), examples(&[("bend", &["warm copper"])]));
    Ok(())
}

#[tokio::test]
async fn a_search_is_over_with_the_next_one() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    searched(&session, &["copper for an elbow"]).await;
    searched(&session, &["shiny lamps"]).await;
    called(&session, "cut", json!({})).await;
    assert_eq!(runtime.learned(), examples(&[]));
    searched(&session, &["copper for an elbow"]).await;
    called(&session, "cut", json!({})).await;
    searched(&session, &["copper"]).await;
    called(&session, "bend", json!({})).await;
    let learned: &[(&str, &[&str])] = &[("bend", &["copper"]), ("cut", &["copper for an elbow"])];
    assert_eq!(runtime.learned(), examples(learned));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_a_search_overtakes_teaches_nothing() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    searched(&session, &["shiny lamps"]).await;
    called(&session, "polish", json!({})).await;
    assert_eq!(runtime.learned(), examples(&[("polish", &["shiny lamps"])]));
    searched(&session, &["old lamps"]).await;
    let search = async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        searched(&session, &["new lamps"]).await;
    };
    let (slow, ()) = tokio::join!(called(&session, "polish", json!({})), search);
    assert_eq!(slow.error(), None);
    assert_eq!(runtime.learned(), examples(&[("polish", &["shiny lamps"])]));
    Ok(())
}

#[tokio::test]
async fn names_and_calls_by_hand_teach_nothing() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    searched(&session, &["select:cut", " select: bend,heat"]).await;
    called(&session, "cut", json!({})).await;
    called(&session, "bend", json!({})).await;
    searched(&session, &["copper"]).await;
    session.call("cut", "{}").await;
    assert_eq!(found(&session, "lamps").await, ["polish"]);
    assert_eq!(runtime.learned(), examples(&[]));
    called(&session, "bend", json!({})).await;
    assert_eq!(runtime.learned(), examples(&[("bend", &["copper"])]));
    Ok(())
}

#[tokio::test]
async fn of_several_queries_those_count_that_found_the_tool_best() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    let queries = ["cut copper", "bend copper", "cutting pipes"];
    searched(&session, &queries).await;
    called(&session, "cut", json!({})).await;
    called(&session, "bend", json!({})).await;
    let learned: &[(&str, &[&str])] = &[
        ("bend", &["bend copper"]),
        ("cut", &["cut copper", "cutting pipes"]),
    ];
    assert_eq!(runtime.learned(), examples(learned));
    Ok(())
}

#[tokio::test]
async fn the_newest_five_are_kept_and_of_each_five_hundred_bytes() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    for query in [
        "copper a",
        "copper b",
        "copper c",
        " copper a ",
        "copper d",
        "copper e",
    ] {
        searched(&session, &[query]).await;
        called(&session, "cut", json!({})).await;
    }
    let all = ["copper b", "copper c", "copper a", "copper d", "copper e"];
    assert_eq!(runtime.learned(), examples(&[("cut", &all)]));
    let long = format!("copper {}", "天".repeat(400));
    searched(&session, &[&long]).await;
    called(&session, "cut", json!({})).await;
    let kept = format!("copper {}", "天".repeat(164));
    let all = ["copper c", "copper a", "copper d", "copper e", &kept];
    assert_eq!(runtime.learned(), examples(&[("cut", &all)]));
    // What is given to a runtime is held to the same.
    let many: Vec<&str> = ["copper", &long].into_iter().chain(all).collect();
    let runtime = builder().learned(examples(&[("cut", &many), ("bend", &[" "])]));
    assert_eq!(runtime.build()?.learned(), examples(&[("cut", &all)]));
    Ok(())
}

#[tokio::test]
async fn handles_of_a_session_learn_together_and_children_alone() -> Result<(), BuildError> {
    let (runtime, session) = learning()?;
    let child = session.child(ToolFilter::new());
    let handle = runtime.session(SessionInfo::new("s"));
    searched(&session, &["copper"]).await;
    called(&child, "cut", json!({})).await;
    assert_eq!(runtime.learned(), examples(&[]));
    searched(&child, &["copper"]).await;
    called(&child, "cut", json!({})).await;
    assert_eq!(runtime.learned(), examples(&[("cut", &["copper"])]));
    called(&handle, "bend", json!({})).await;
    let learned: &[(&str, &[&str])] = &[("bend", &["copper"]), ("cut", &["copper"])];
    assert_eq!(runtime.learned(), examples(learned));
    Ok(())
}

#[tokio::test]
async fn what_is_hidden_when_its_call_ends_is_not_learned() -> Result<(), BuildError> {
    let place = Arc::new((
        OnceLock::<Session>::new(),
        Mutex::<Option<FilterGuard>>::default(),
    ));
    let own = Arc::clone(&place);
    let traits = Traits::new().effect(Effect::Read);
    let vanish = ToolDefinition::new("vanish", "Makes copper vanish").traits(traits);
    let vanish = FnTool::new(vanish, move |_: Value, _| {
        let guard = own.0.get().map(|session| {
            let filter = ToolFilter::new().exclude(["vanish"]);
            session.filter(filter)
        });
        *own.1.lock().unwrap_or_else(PoisonError::into_inner) = guard;
        async {}
    });
    let runtime = builder().tool(vanish).learn_from_searches().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    searched(&session, &["vanish"]).await;
    assert_eq!(called(&session, "vanish", json!({})).await.error(), None);
    assert_eq!(runtime.learned(), examples(&[("vanish", &["vanish"])]));
    let _ = place.0.set(session.clone());
    searched(&session, &["vanishing copper"]).await;
    assert_eq!(called(&session, "vanish", json!({})).await.error(), None);
    assert_eq!(runtime.learned(), examples(&[("vanish", &["vanish"])]));
    Ok(())
}

/// A session that sees some of forty tools and may call some of those, and examples of any of them:
/// what is found is among those, and all that is found without examples is found.
#[tokio::test]
async fn nothing_hidden_is_found_by_examples() -> Result<(), BuildError> {
    const WORDS: [&str; 8] = [
        "copper", "lamp", "pipe", "blue", "open", "count", "late", "soft",
    ];
    let mut random = fastrand::Rng::with_seed(11);
    let traits = Traits::new().effect(Effect::Read);
    for _ in 0..200 {
        let mut text = |words: usize| {
            let words = (0..words).map(|_| WORDS[random.usize(..WORDS.len())]);
            words.collect::<Vec<_>>().join(" ")
        };
        let mut builders = [Runtime::builder(), Runtime::builder()];
        let mut learned = Examples::new();
        for number in 0..40 {
            let definition = ToolDefinition::new(format!("tool_{number}"), text(3)).traits(traits);
            builders = builders.map(|builder| {
                let tool = FnTool::new(definition.clone(), |_: Value, _| async {});
                builder.tool(tool)
            });
            learned.insert(definition.name().to_owned(), vec![text(2), text(4)]);
        }
        let query = text(3);
        let (hidden, denied) = (random.usize(..10), random.usize(..10));
        let policy = PermissionPolicy::new().rule(Rule::deny(format!("tool:tool_*{denied}")));
        let filter = ToolFilter::new().exclude([format!("tool_{hidden}*")]);
        let [plain, taught] = builders.map(|builder| builder.policy(policy.clone()));
        let info = || SessionInfo::new("s").filter(filter.clone());
        let plain = plain.build()?.session(info());
        let taught = taught.learned(learned).build()?.session(info());
        let all = found(&taught, &query).await;
        let before = found(&plain, &query).await;
        assert!(all.iter().all(|name| taught.definition(name).is_ok()));
        assert!(before.iter().all(|name| all.contains(name)), "{query}");
        assert!(!all.contains(&format!("tool_{hidden}")));
        assert!(!all.contains(&format!("tool_{denied}")));
    }
    Ok(())
}
