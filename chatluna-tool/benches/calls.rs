//! What a call costs, beside a floor written by hand.
//!
//! Run it with `cargo bench -p chatluna-tool --bench calls`.
//!
//! The floor is what a program would write without this crate: a
//! `HashMap<&str, fn>`, `serde_json::from_str` into a derived struct that
//! denies unknown fields, a boxed async fn, text out. Beside it stand:
//!
//! - the bare call: look-up in the registry, `prepare`, `run`, poll, text;
//! - `Session::execute` of one call that is ready at its first poll. It takes
//!   the call by value, so each run makes one first, as the parser of a reply
//!   does. The floor and the bare call borrow theirs, so what it takes to make
//!   a call and to drop it again is not counted;
//! - a step of 1,000 parallel calls that do nothing, and `join_all` of as many bare calls;
//! - `definitions`, `openai::tools` and `build`, each a tool.
//!
//! Every figure is taken in a process of its own, which is this executable
//! again. Instructions (callgrind) and allocations (memcheck's heap summary)
//! are the difference of a run with twice the count and a run with the count,
//! so start-up and inputs cancel out; they hardly vary. Nanoseconds are the
//! median of several processes, and information only. Without valgrind only
//! they are printed. Nothing here fails on a figure.

mod measure;

use chatluna_tool::__private::{self as private, Input, Parameter, ToolRegistration};
use chatluna_tool::{
    ArgumentError, BoxFuture, Effect, Origin, PermissionPolicy, PreparedCall, Runtime, Session,
    SessionInfo, ToolCall, Traits, openai, testing, tool,
};
use measure::Scenario;
use serde::Deserialize;
use std::collections::HashMap;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

const ADD: (&str, &str) = ("add", r#"{"a":20,"b":22}"#);
const WEATHER: (&str, &str) = ("weather", r#"{"city":"Beijing","days":3,"units":"metric"}"#);

fn main() {
    measure::main("calls", scenarios);
}

// The tools.

/// Adds two numbers
#[tool(traits(effect = "read"))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Does nothing
#[tool(traits(parallel, effect = "read"))]
async fn ping() {}

/// Tells the weather
#[tool(traits(effect = "read"))]
async fn weather(
    /// The city
    city: String,
    /// How many days ahead
    days: Option<u8>,
    /// `metric` or `imperial`
    units: Option<String>,
) -> String {
    let (days, units) = (days.unwrap_or(1), units.as_deref().unwrap_or("metric"));
    format!("{city}: sunny for {days} days ({units})")
}

static MADE_PARAMETERS: [Parameter; 3] = [
    private::parameter::<String>("city", "The city"),
    private::parameter::<Option<u8>>("days", "How many days ahead"),
    private::parameter::<Option<String>>("units", "`metric` or `imperial`"),
];

/// What the made registrations share; they are there to be collected and are never called.
const MADE: ToolRegistration = ToolRegistration {
    action: "tool:made",
    title: None,
    description: "Tells the weather",
    traits: Traits::new().effect(Effect::Read),
    parameters: &MADE_PARAMETERS,
    hints: None,
    needed: &[],
    output_schema: |_| None,
    visibility: None,
    prepare: never,
    origin: Origin::new("calls", "made", file!(), line!(), 1),
};

fn never(_: &Input<'_>) -> Result<Box<dyn PreparedCall>, ArgumentError> {
    Err(ArgumentError::new("never called"))
}

/// Ten of `$next`, a digit appended to each.
macro_rules! ten {
    ($next:ident $($digit:literal)*) => {
        $next!($($digit)* 0); $next!($($digit)* 1); $next!($($digit)* 2); $next!($($digit)* 3);
        $next!($($digit)* 4); $next!($($digit)* 5); $next!($($digit)* 6); $next!($($digit)* 7);
        $next!($($digit)* 8); $next!($($digit)* 9);
    };
}
macro_rules! hundreds { ($($digit:literal)*) => { ten! { tens $($digit)* } }; }
macro_rules! tens { ($($digit:literal)*) => { ten! { link $($digit)* } }; }
/// One registration, linked in as `#[tool]` does it.
macro_rules! link {
    ($($digit:literal)*) => {
        const _: () = {
            static MADE_TOOL: ToolRegistration =
                ToolRegistration { action: concat!("tool:made_" $(, $digit)*), ..MADE };
            private::register!(&MADE_TOOL);
        };
    };
}
ten! { hundreds }

/// A runtime of the three tools and 10, 100 or 1,000 made ones.
fn runtime(made: usize) -> Runtime {
    let builder = Runtime::builder().collect().policy(PermissionPolicy::new());
    let pattern = match made {
        10 => "made_00?",
        100 => "made_0??",
        _ => "made_*",
    };
    built(builder.only(["add", "ping", "weather", pattern]))
}

fn built(builder: chatluna_tool::RuntimeBuilder) -> Runtime {
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn session(made: usize) -> Session {
    runtime(made).session(SessionInfo::new("bench"))
}

/// Polls a future that is ready at once.
fn finish<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future has to be ready at once"),
    }
}

// The floor.

type Handler = fn(&str) -> Result<BoxFuture<'static, String>, serde_json::Error>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weather {
    city: String,
    days: Option<u8>,
    units: Option<String>,
}

fn by_hand() -> HashMap<&'static str, Handler> {
    let add: Handler = |text| {
        let Add { a, b } = serde_json::from_str(text)?;
        Ok(Box::pin(async move { add(a, b).await.to_string() }))
    };
    let weather: Handler = |text| {
        let Weather { city, days, units } = serde_json::from_str(text)?;
        Ok(Box::pin(async move { weather(city, days, units).await }))
    };
    HashMap::from([("add", add), ("weather", weather)])
}

// What is measured.

fn scenarios() -> Vec<Scenario> {
    let mut all = Vec::new();
    for call in [ADD, WEATHER] {
        calls(&mut all, call);
    }
    for made in [10, 100, 1_000] {
        let named = |what| format!("{what}, {made} tools");
        let tools = |count| (count, made + 3);
        let all = &mut all;
        Scenario::tools(all, named("definitions"), tools(20), move |_| {
            definitions(made)
        });
        Scenario::tools(all, named("openai first"), tools(1), move |runs| {
            first(made, runs)
        });
        Scenario::tools(all, named("openai again"), tools(4), move |_| again(made));
    }
    Scenario::tools(
        &mut all,
        "join_all of 1000 calls".to_owned(),
        (4, 1_000),
        |_| together(),
    );
    Scenario::tools(
        &mut all,
        "execute of 1000 calls".to_owned(),
        (4, 1_000),
        |_| step(),
    );
    let linked = "build, 1000 linked".to_owned();
    Scenario::tools(&mut all, linked, (1, 1_003), build_linked);
    for made in [1_000, 10_000] {
        let name = format!("build, {made} handed over");
        Scenario::tools(&mut all, name, (1, made), move |runs| build(made, runs));
    }
    all
}

fn calls(all: &mut Vec<Scenario>, call: (&'static str, &'static str)) {
    let named = |what, made| format!("{what} `{}`, {made} tools", call.0);
    Scenario::call(all, format!("floor `{}`", call.0), move |_| floor(call));
    for made in [10, 1_000] {
        Scenario::call(all, named("bare", made), move |_| bare(call, made));
    }
    for made in [10, 1_000] {
        Scenario::call(all, named("execute", made), move |_| execute(call, made));
        Scenario::without(all, move || drop(black_box(written(call))));
    }
}

fn floor((name, text): (&'static str, &'static str)) -> Box<dyn FnMut()> {
    let handlers = by_hand();
    Box::new(move || {
        let handler = handlers[black_box(name)];
        let future = handler(black_box(text)).unwrap_or_else(|error| panic!("{error}"));
        black_box(&*finish(future));
    })
}

fn bare((name, text): (&'static str, &'static str), made: usize) -> Box<dyn FnMut()> {
    let (runtime, context) = (runtime(made), testing::call_context().build());
    let (registry, arguments) = (runtime.registry(), text.into());
    Box::new(move || {
        let tool = registry.get(black_box(name));
        let tool = Arc::clone(tool.unwrap_or_else(|| panic!("`{name}` is registered")));
        let call = tool
            .prepare(&arguments)
            .unwrap_or_else(|error| panic!("{error}"));
        let output = finish(call.run(context.clone())).unwrap_or_else(|error| panic!("{error}"));
        black_box(&*output.to_text());
    })
}

/// A call as the reply of a model leaves it behind.
fn written((name, text): (&'static str, &'static str)) -> ToolCall {
    ToolCall::new(black_box(name), black_box(text)).id("call_1")
}

fn execute(call: (&'static str, &'static str), made: usize) -> Box<dyn FnMut()> {
    let session = session(made);
    Box::new(move || {
        let results = finish(session.execute(Some(written(call))));
        assert_eq!(results[0].error(), None);
        black_box(&*results[0].text());
    })
}

/// The calls of a step without the step: what `execute` adds is order, a cap, permission, deadlines.
fn together() -> Box<dyn FnMut()> {
    let (runtime, context) = (runtime(10), testing::call_context().build());
    let (registry, arguments) = (runtime.registry(), "{}".into());
    Box::new(move || {
        let calls = (0..1_000).map(|_| {
            let tool = registry.get(black_box("ping"));
            let tool = Arc::clone(tool.unwrap_or_else(|| panic!("`ping` is registered")));
            let call = tool.prepare(&arguments);
            let call = call.unwrap_or_else(|error| panic!("{error}"));
            call.run(context.clone())
        });
        let results = finish(futures_util::future::join_all(calls));
        assert_eq!(black_box(results).len(), 1_000);
    })
}

/// On one thread, where a task that is spawned runs next.
fn step() -> Box<dyn FnMut()> {
    let session = session(10);
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let tokio = tokio.unwrap_or_else(|error| panic!("{error}"));
    Box::new(move || {
        let calls = (0..1_000).map(|_| ToolCall::new(black_box("ping"), "{}"));
        let results = tokio.block_on(session.execute(calls));
        assert!(results.iter().all(|result| result.error().is_none()));
    })
}

fn definitions(made: usize) -> Box<dyn FnMut()> {
    let session = session(made);
    Box::new(move || drop(black_box(session.definitions())))
}

/// All schemas are yet to be made.
fn first(made: usize, runs: usize) -> Box<dyn FnMut()> {
    let mut fresh: Vec<_> = (0..runs).map(|_| session(made).definitions()).collect();
    Box::new(move || {
        let definitions = fresh.pop().unwrap_or_default();
        // Kept, as a program keeps them: the schemas are cached in there.
        std::mem::forget(black_box((openai::tools(&definitions), definitions)));
    })
}

/// All schemas are made.
fn again(made: usize) -> Box<dyn FnMut()> {
    let definitions = session(made).definitions();
    drop(openai::tools(&definitions));
    Box::new(move || drop(black_box(openai::tools(&definitions))))
}

fn build_linked(runs: usize) -> Box<dyn FnMut()> {
    let mut kept = Vec::with_capacity(runs);
    Box::new(move || kept.push(built(Runtime::builder().collect())))
}

/// More tools than one wants to compile: what the linker would bring is made at run time
/// and handed to the builder. Only the walk over the linker's list is left out.
fn build(made: usize, runs: usize) -> Box<dyn FnMut()> {
    // Not in the order of their names, as the linker would have it.
    let indices = (0..made).map(|index| index * 7_919 % made);
    let registrations: Vec<&'static ToolRegistration> = indices.map(made_at_run_time).collect();
    let mut kept = Vec::with_capacity(runs);
    Box::new(move || {
        let registrations = registrations.iter().copied();
        kept.push(built(Runtime::builder().tools(registrations)));
    })
}

fn made_at_run_time(index: usize) -> &'static ToolRegistration {
    let action = Box::leak(format!("tool:made_{index:04}").into_boxed_str());
    Box::leak(Box::new(ToolRegistration { action, ..MADE }))
}
