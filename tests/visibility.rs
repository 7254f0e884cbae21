//! Which tools a session sees: layers that only take away, sub-agents, tools that come and go.

use chatluna_tool::{
    BuildError, Effect, ErrorKind, Event, Fault, FnTool, Owner, PermissionPolicy, Renamed, Rule,
    Runtime, Session, SessionInfo, Tool, ToolCall, ToolDefinition, ToolFilter, Traits, TurnInfo,
    tool, tools,
};
use serde_json::Value;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Adds
#[tool(traits(effect = "read"))]
async fn math_add() -> &'static str {
    "added"
}

/// Deletes
#[tool(traits(effect = "read"))]
async fn math_delete() -> &'static str {
    "deleted"
}

/// For one session only
#[tool(visibility = |session| session.id == "admin", traits(effect = "read"))]
async fn math_admin() -> &'static str {
    "administered"
}

/// Tells the weather
#[tool(traits(effect = "read"))]
async fn weather() -> &'static str {
    "sunny"
}

fn builder() -> chatluna_tool::RuntimeBuilder {
    Runtime::builder().tools(tools![math_add, math_delete, math_admin, weather])
}

/// A tool that says `text`.
fn saying(name: &str, text: &'static str) -> impl Tool {
    let traits = Traits::new().effect(Effect::Read);
    let definition = ToolDefinition::new(name, text).traits(traits);
    FnTool::new(definition, move |_: Value, _| async move { text })
}

fn shared(name: &str, text: &'static str) -> Arc<dyn Tool> {
    Arc::new(saying(name, text))
}

fn names(session: &Session) -> Vec<String> {
    let definitions = session.definitions();
    definitions
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect()
}

async fn said(session: &Session, name: &str) -> String {
    let call = ToolCall::new(name, "{}");
    session.execute([call]).await[0].text().into_owned()
}

#[tokio::test]
async fn every_layer_takes_away_and_none_gives_back() -> Result<(), BuildError> {
    let runtime = builder()
        .filter(ToolFilter::new().include(["math_*"]))
        .agent_filter("planner", ToolFilter::new().exclude(["*_delete"]))
        .policy(PermissionPolicy::allow_all())
        .build()?;
    let plain = runtime.session(SessionInfo::new("plain"));
    assert_eq!(names(&plain), ["math_add", "math_delete"]);
    let admin = runtime.session(SessionInfo::new("admin"));
    assert_eq!(names(&admin), ["math_add", "math_admin", "math_delete"]);
    let planner = runtime.session(SessionInfo::new("p").agent("planner"));
    assert_eq!(names(&planner), ["math_add"]);
    // A layer below cannot give back what one above has taken.
    let wide = SessionInfo::new("w").filter(ToolFilter::new().include(["weather", "math_add"]));
    assert_eq!(names(&runtime.session(wide)), ["math_add"]);
    Ok(())
}

#[tokio::test]
async fn a_hidden_tool_is_answered_as_one_that_never_was() -> Result<(), BuildError> {
    let policy = PermissionPolicy::allow_all().rule(Rule::deny("tool:weather"));
    let hidden = builder()
        .filter(ToolFilter::new().exclude(["math_delete"]))
        .policy(policy)
        .build()?;
    let without = Runtime::builder().tools(tools![math_add]).build()?;
    for name in [
        "math_delete",
        "math_admin",
        "weather",
        "wether",
        "functions.weather",
    ] {
        let answers = [&hidden, &without].map(|runtime| {
            let session = runtime.session(SessionInfo::new("s"));
            async move { session.execute([ToolCall::new(name, "{}")]).await.remove(0) }
        });
        let [hidden, without] = answers;
        let (hidden, without) = (hidden.await, without.await);
        assert_eq!(hidden.error(), Some(ErrorKind::UnknownTool), "{name}");
        assert_eq!(hidden.text(), without.text());
    }
    Ok(())
}

#[tokio::test]
async fn filters_come_and_go_with_their_guards() -> Result<(), BuildError> {
    let runtime = builder().policy(PermissionPolicy::allow_all()).build()?;
    let session = runtime.session(SessionInfo::new("s"));
    session.begin_turn(TurnInfo::new("m"));
    let all = ["math_add", "math_delete", "weather"];
    assert_eq!(names(&session), all);

    let maths = runtime.filter(ToolFilter::new().include(["math_*"]));
    let gentle = session.filter(ToolFilter::new().exclude(["*_delete"]));
    assert_eq!(names(&session), ["math_add"]);
    let hidden = said(&session, "math_delete").await;
    assert!(hidden.contains("no tool is named"), "{hidden}");
    let other = runtime.session(SessionInfo::new("other"));
    assert_eq!(names(&other), ["math_add", "math_delete"]);
    drop(maths);
    assert_eq!(names(&session), ["math_add", "weather"]);
    drop(gentle);
    assert_eq!(names(&session), all);
    runtime
        .agent_filter("planner", ToolFilter::new().include(["weather"]))
        .keep();
    let planner = runtime.session(SessionInfo::new("p").agent("planner"));
    assert_eq!(
        (names(&planner), names(&session).len()),
        (vec!["weather".to_owned()], 3)
    );
    Ok(())
}

#[test]
fn an_entry_that_matches_nothing_is_reported() -> Result<(), BuildError> {
    let runtime = builder()
        .filter(ToolFilter::new().exclude(["weather", "wether", "task_list"]))
        .agent_filter("planner", ToolFilter::new().include(["plan_*"]))
        .build()?;
    let lints = |runtime: &Runtime| -> Vec<String> {
        let lints = runtime.report().filters;
        lints.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        lints(&runtime),
        [
            "the entry `wether` of the filter of the runtime matches no tool; \
             correct the name or remove the entry",
            "the entry `plan_*` of the filter of the agent `planner` matches no tool; \
             correct the name or remove the entry",
        ]
    );
    runtime
        .register(Owner::agent("planner"), saying("plan_trip", ""))?
        .keep();
    assert_eq!(lints(&runtime).len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_sub_agent_sees_less_and_follows_what_narrows_its_parent() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("chat").agent("main"));
    let child = session.child(ToolFilter::new().exclude(["weather"]));
    assert_eq!(
        (&*child.info().id, child.info().agent.as_deref()),
        ("chat/1", Some("main"))
    );
    assert_eq!(names(&child), ["math_add", "math_delete"]);
    let grandchild = child.child(ToolFilter::new().include(["math_delete", "weather"]));
    assert_eq!(
        (&*grandchild.info().id, names(&grandchild)),
        ("chat/1/1", vec!["math_delete".to_owned()])
    );
    let _gentle = session.filter(ToolFilter::new().exclude(["*_delete"]));
    assert_eq!(names(&grandchild), Vec::<String>::new());
    assert_eq!(said(&child, "math_add").await, "added");

    let second = session.child(ToolFilter::new());
    assert_eq!(second.info().id, "chat/2");
    drop((child, grandchild));
    assert_eq!(session.child(ToolFilter::new()).info().id, "chat/1");
    Ok(())
}

#[tokio::test]
async fn a_tool_comes_and_goes_with_its_guard() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let plugin = runtime.register(Owner::Global, saying("echo", "echo"))?;
    assert_eq!(
        names(&session),
        ["echo", "math_add", "math_delete", "weather"]
    );
    assert_eq!(said(&session, "echo").await, "echo");
    assert_eq!(plugin.names().collect::<Vec<_>>(), ["echo"]);
    drop(plugin);
    assert_eq!(names(&session), ["math_add", "math_delete", "weather"]);
    assert!(
        said(&session, "echo")
            .await
            .contains("no tool is named `echo`")
    );
    runtime
        .register(Owner::Global, saying("echo", "again"))?
        .keep();
    assert_eq!(said(&session, "echo").await, "again");
    Ok(())
}

#[tokio::test]
async fn an_agents_tool_goes_before_everybodys() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let own = runtime.register(Owner::agent("planner"), saying("weather", "planned"))?;
    let planner = runtime.session(SessionInfo::new("p").agent("planner"));
    let other = runtime.session(SessionInfo::new("o").agent("other"));
    assert_eq!(said(&planner, "weather").await, "planned");
    assert_eq!(said(&other, "weather").await, "sunny");
    assert_eq!(names(&planner), names(&other));
    // What comes for everybody later does not cover it either.
    let _global = runtime.register(Owner::Global, saying("plan", "everybody's"))?;
    assert_eq!(said(&planner, "weather").await, "planned");
    assert_eq!(said(&planner, "plan").await, "everybody's");
    let report = runtime.report().to_string();
    assert!(
        report.contains("weather of the agent `planner`: added at run time"),
        "{report}"
    );
    drop(own);
    assert_eq!(said(&planner, "weather").await, "sunny");
    Ok(())
}

#[test]
fn what_cannot_be_a_tool_is_refused_and_nothing_is_added() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let refused = |tools: Vec<Arc<dyn Tool>>| {
        let error = runtime.register_all(Owner::Global, tools).err();
        error.map_or_else(Vec::new, |error| error.faults().to_vec())
    };
    let faults = refused(vec![
        shared("fine", ""),
        shared("no good", ""),
        shared("task_list", ""),
        shared("weather", ""),
        shared("twice", ""),
        shared("twice", ""),
    ]);
    let kinds: Vec<&str> = faults
        .iter()
        .map(|fault| match fault {
            Fault::InvalidName { .. } => "invalid",
            Fault::ReservedName { .. } => "reserved",
            Fault::Duplicate { name, .. } => match &**name {
                "twice" => "twice",
                _ => "taken",
            },
            _ => "other",
        })
        .collect();
    assert_eq!(
        kinds,
        ["invalid", "reserved", "twice", "taken"],
        "{faults:#?}"
    );
    let writing = FnTool::new(
        ToolDefinition::new("write", "Writes"),
        |_: Value, _| async {},
    );
    let faults = runtime.register(Owner::Global, writing).err();
    let faults = faults.map_or_else(Vec::new, |error| error.faults().to_vec());
    assert!(matches!(&*faults, [Fault::NoPolicy { .. }]), "{faults:?}");
    assert_eq!(runtime.registry().tools().len(), 4);
    Ok(())
}

#[tokio::test]
async fn a_turn_keeps_the_tools_that_it_began_with() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let mut guard =
        runtime.register_all(Owner::Global, [shared("one", "1"), shared("two", "2")])?;
    session.begin_turn(TurnInfo::new("m1"));
    let before = names(&session);
    runtime
        .register(Owner::Global, saying("three", "3"))?
        .keep();
    assert_eq!(names(&session), before);
    assert!(
        said(&session, "three")
            .await
            .contains("no tool is named `three`")
    );
    // What goes does so at once; what takes its place comes with the next turn.
    guard.replace([shared("two", "two"), shared("four", "4")])?;
    assert!(
        said(&session, "one")
            .await
            .contains("no tool is named `one`")
    );
    assert!(
        said(&session, "two")
            .await
            .contains("no tool is named `two`")
    );
    assert_eq!(names(&session), ["math_add", "math_delete", "weather"]);
    session.begin_turn(TurnInfo::new("m2"));
    assert_eq!(said(&session, "two").await, "two");
    assert_eq!(
        names(&session),
        ["four", "math_add", "math_delete", "three", "two", "weather"]
    );

    runtime.register(Owner::Global, saying("five", "5"))?.keep();
    session.refresh_tools();
    assert_eq!(said(&session, "five").await, "5");
    Ok(())
}

#[test]
fn nobody_sees_half_a_change() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let pair = |text| [shared("left", text), shared("right", text)];
    let mut guard = runtime.register_all(Owner::Global, pair("a"))?;
    thread::scope(|scope| {
        let swapping = scope.spawn(move || {
            for round in 0..500 {
                guard.replace(pair(["a", "b"][round % 2]))?;
            }
            // Not dropped before the last look: the tools go with it.
            Ok(guard)
        });
        while !swapping.is_finished() {
            let definitions = session.definitions();
            let texts: Vec<&str> = definitions
                .iter()
                .filter(|tool| ["left", "right"].contains(&tool.name()))
                .map(ToolDefinition::description)
                .collect();
            assert_eq!(texts.len(), 2);
            assert_eq!(texts[0], texts[1]);
        }
        let swapped = swapping.join();
        swapped
            .unwrap_or_else(|panic| resume_unwind(panic))
            .map(drop)
    })
}

#[tokio::test]
async fn listeners_are_told_of_changes() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let mut events = session.events();
    let plugin = runtime.register(Owner::Global, saying("echo", ""))?;
    drop(plugin);
    drop(runtime.filter(ToolFilter::new().exclude(["weather"])));
    drop(session.filter(ToolFilter::new().exclude(["weather"])));
    // What comes to nothing is no change.
    assert!(
        runtime
            .register(Owner::Global, saying("weather", ""))
            .is_err()
    );
    drop((session, runtime));
    let mut changes = 0;
    while let Some(event) = events.next().await {
        assert!(matches!(event, Event::ToolsChanged), "{event:?}");
        changes += 1;
    }
    assert_eq!(changes, 6);
    Ok(())
}

#[tokio::test]
async fn a_renamed_tool_is_known_by_its_new_name_alone() -> Result<(), BuildError> {
    let own = FnTool::new(
        ToolDefinition::new("search", "Searches"),
        |_: Value, call: chatluna_tool::CallContext| async move { call.name().to_owned() },
    );
    let policy = PermissionPolicy::new().rule(Rule::allow("tool:wiki_search"));
    let runtime = Runtime::builder().policy(policy).build()?;
    let tool: Arc<dyn Tool> = Arc::new(own);
    let _plugin = runtime.register_all(
        Owner::Global,
        [
            Arc::new(Renamed::prefixed("wiki", Arc::clone(&tool))) as Arc<dyn Tool>,
            Arc::new(Renamed::new("find", tool)),
        ],
    )?;
    let session = runtime.session(SessionInfo::new("s"));
    assert_eq!(said(&session, "wiki_search").await, "wiki_search");
    assert_eq!(names(&session), ["find", "wiki_search"]);
    let long = Renamed::prefixed("p".repeat(60), saying("search", ""));
    let refused = runtime.register(Owner::Global, long).err();
    let faults = refused.map_or_else(Vec::new, |error| error.faults().to_vec());
    assert!(
        matches!(&*faults, [Fault::InvalidName { .. }]),
        "{faults:?}"
    );
    Ok(())
}

/// A tool whose name is asked for while a change is made may look at the runtime.
struct Curious(ToolDefinition, Arc<Mutex<Option<Runtime>>>);

impl Tool for Curious {
    fn definition(&self) -> &ToolDefinition {
        let runtime = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = &*runtime {
            runtime.registry();
        }
        &self.0
    }

    fn prepare(
        self: Arc<Self>,
        arguments: &chatluna_tool::Arguments,
    ) -> Result<Box<dyn chatluna_tool::PreparedCall>, chatluna_tool::ArgumentError> {
        shared("inner", "curious").prepare(arguments)
    }
}

#[tokio::test]
async fn a_tool_may_look_at_the_runtime_while_it_is_registered() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let definition = ToolDefinition::new("curious", "Looks");
    let traits = Traits::new().effect(Effect::Read);
    let handle = Arc::new(Mutex::new(Some(runtime.clone())));
    let guard = runtime.register(
        Owner::Global,
        Curious(definition.traits(traits), Arc::clone(&handle)),
    )?;
    let session = runtime.session(SessionInfo::new("s"));
    assert_eq!(said(&session, "curious").await, "curious");
    drop(guard);
    handle.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(())
}
