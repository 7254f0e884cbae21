//! Rankings that a program brings: how they join that of the search by words, and what becomes of the
//! search when they fail.

use chatluna_tool::{
    BoxFuture, BuildError, Effect, ErrorKind, FnTool, Owner, PermissionPolicy, RETRIEVER_TIMEOUT,
    Retriever, Rule, Runtime, RuntimeBuilder, Session, SessionInfo, Tool, ToolCall, ToolDefinition,
    ToolFilter, ToolMode, ToolResult, Traits, tool, tools,
};
use futures_util::FutureExt;
use serde_json::{Value, json};
use std::error::Error;
use std::fmt;
use std::future::{Future, pending};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

type Ranked = Result<Vec<String>, Box<dyn Error + Send + Sync>>;

/// Tells the weather of a city
#[tool(traits(effect = "read"))]
async fn barometer() {}

/// Tells the weather that was
#[tool(traits(effect = "read"))]
async fn almanac() {}

/// Sends a message
#[tool(traits(effect = "read"))]
async fn mail() {}

/// Rings somebody
#[tool(traits(effect = "read"))]
async fn phone() {}

fn builder() -> RuntimeBuilder {
    Runtime::builder()
        .tools(tools![barometer, almanac, mail, phone])
        .tool_mode(ToolMode::Search)
}

/// A tool that reads nothing.
fn plain(name: &str, text: &str) -> Arc<dyn Tool> {
    let definition = ToolDefinition::new(name, text.to_owned());
    let definition = definition.traits(Traits::new().effect(Effect::Read));
    Arc::new(FnTool::new(definition, |_: Value, _| async {}))
}

fn session(builder: RuntimeBuilder) -> Result<Session, BuildError> {
    Ok(builder.build()?.session(SessionInfo::new("s")))
}

/// What a retriever was asked: the query, the names of the tools, the limit.
type Asked = (String, Vec<String>, usize);

/// A retriever that says what it is told to.
struct Saying<F> {
    answer: F,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl<F, A> Retriever for Saying<F>
where
    F: Fn(String) -> A + Send + Sync + 'static,
    A: Future<Output = Ranked> + Send + 'static,
{
    fn retrieve<'a>(
        &'a self,
        query: &'a str,
        tools: &'a [ToolDefinition],
        limit: usize,
    ) -> BoxFuture<'a, Ranked> {
        let names = tools.iter().map(|tool| tool.name().to_owned()).collect();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push((query.to_owned(), names, limit));
        Box::pin((self.answer)(query.to_owned()))
    }
}

fn answering<A>(answer: impl Fn(String) -> A + Send + Sync + 'static) -> impl Retriever
where
    A: Future<Output = Ranked> + Send + 'static,
{
    let asked = Arc::default();
    Saying { answer, asked }
}

/// A retriever that always gives this ranking.
fn ranking(names: &[&str]) -> impl Retriever {
    noting(names).0
}

/// The same, and what it is asked.
fn noting(names: &[&str]) -> (impl Retriever, Arc<Mutex<Vec<Asked>>>) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
    let answer = move |_| std::future::ready(Ok(names.clone()));
    let retriever = Saying {
        answer,
        asked: Arc::clone(&asked),
    };
    (retriever, asked)
}

fn taken(asked: &Mutex<Vec<Asked>>) -> Vec<Asked> {
    let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::take(&mut asked)
}

async fn found(session: &Session, query: &str, limit: usize) -> Vec<String> {
    let found = session.search(query, limit).await;
    found.iter().map(|tool| tool.name().to_owned()).collect()
}

async fn searched(session: &Session, arguments: Value) -> ToolResult {
    let call = ToolCall::new("tool_search", arguments).id("call_1");
    session.execute([call]).await.remove(0)
}

#[tokio::test]
async fn rankings_are_fused() -> Result<(), BuildError> {
    let words = session(builder())?;
    assert_eq!(found(&words, "weather", 5).await, ["almanac", "barometer"]);
    // What both have comes first, then what one has in a better place; the words break ties.
    let one = session(builder().retriever(ranking(&["phone", "barometer"])))?;
    assert_eq!(
        found(&one, "weather", 5).await,
        ["barometer", "almanac", "phone"]
    );
    assert_eq!(found(&one, "weather", 2).await, ["barometer", "almanac"]);
    let two = builder()
        .retriever(ranking(&["phone", "barometer"]))
        .retriever(ranking(&["phone", "mail"]));
    assert_eq!(
        found(&session(two)?, "weather", 5).await,
        ["phone", "barometer", "almanac", "mail"]
    );
    // Neither has a word of the query.
    let foreign = session(builder().retriever(ranking(&["phone", "mail"])))?;
    assert_eq!(found(&foreign, "天气", 5).await, ["phone", "mail"]);
    Ok(())
}

#[tokio::test]
async fn a_model_finds_and_loads_what_a_retriever_found() -> Result<(), BuildError> {
    let session = session(builder().retriever(Arc::new(ranking(&["phone"]))))?;
    let answer = searched(&session, json!({"queries": ["talk to my aunt"]})).await;
    assert_eq!(
        answer.structured(),
        Some(&json!({"loaded": ["phone"], "known": [], "notes": []}))
    );
    let rung = session.execute([ToolCall::new("phone", "{}")]).await;
    assert_eq!(rung[0].error(), None);
    Ok(())
}

#[tokio::test]
async fn more_is_fused_than_is_wanted() -> Result<(), BuildError> {
    let (retriever, asked) = noting(&["phone", "mail"]);
    let (other, _) = noting(&["almanac", "mail"]);
    let session = session(builder().retriever(retriever).retriever(other))?;
    // It is second in each: no ranking would bring it alone.
    assert_eq!(found(&session, "天气", 1).await, ["mail"]);
    assert_eq!(taken(&asked)[0].2, 50);
    found(&session, "weather", 70).await;
    assert_eq!(taken(&asked)[0].2, 70);
    Ok(())
}

#[tokio::test]
async fn the_name_that_is_the_query_comes_first() -> Result<(), BuildError> {
    let others = || ranking(&["phone", "barometer", "almanac"]);
    let session = session(builder().retriever(others()).retriever(others()))?;
    assert_eq!(
        found(&session, " mail ", 5).await,
        ["mail", "phone", "barometer", "almanac"]
    );
    assert_eq!(found(&session, "mail", 1).await, ["mail"]);
    Ok(())
}

#[tokio::test]
async fn nothing_that_a_retriever_says_brings_up_a_hidden_tool() -> Result<(), BuildError> {
    let all = [
        "tool_search",
        "almanac",
        "mail",
        "read_output",
        "",
        "nobodys",
        "phone",
        "phone",
        "barometer",
    ];
    let (retriever, asked) = noting(&all);
    let runtime = builder()
        .filter(ToolFilter::new().exclude(["almanac"]))
        .policy(PermissionPolicy::allow_all().rule(Rule::deny("tool:mail")))
        .retriever(retriever)
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let seen = found(&session, "weather", 10).await;
    let (_, tools, _) = taken(&asked).remove(0);
    assert_eq!(tools, ["barometer", "phone"]);
    assert_eq!(seen, ["barometer", "phone"]);

    let child = session.child(ToolFilter::new().exclude(["barometer"]));
    assert_eq!(found(&child, "say hello to her", 10).await, ["phone"]);
    let _none = session.filter(ToolFilter::new().include(Vec::<String>::new()));
    taken(&asked);
    assert_eq!(found(&child, "weather", 10).await, Vec::<String>::new());
    assert_eq!(found(&session, "weather", 10).await, Vec::<String>::new());
    assert_eq!(taken(&asked), []);
    Ok(())
}

#[tokio::test]
async fn a_policy_that_refuses_an_effect_hides_its_tools_from_retrievers() -> Result<(), BuildError>
{
    let (retriever, asked) = noting(&["erase", "phone"]);
    let erase = ToolDefinition::new("erase", "Erases the disk");
    let builder = builder().tool(FnTool::new(erase, |_: Value, _| async {}));
    let policy = PermissionPolicy::new().mode(chatluna_tool::PermissionMode::ReadOnly);
    let session = session(builder.policy(policy).retriever(retriever))?;
    assert_eq!(found(&session, "erase the disk", 5).await, ["phone"]);
    assert_eq!(
        taken(&asked)[0].1,
        ["almanac", "barometer", "mail", "phone"]
    );
    Ok(())
}

#[tokio::test]
async fn what_is_over_the_limit_is_passed_over() -> Result<(), BuildError> {
    let names: Vec<String> = (0..60).map(|number| format!("tool_{number:02}")).collect();
    let tools = names.iter().map(|name| plain(name, ""));
    let said: Vec<&str> = ["nobodys"; 40]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    // The last of a ranking of 60 would come before what another has first, were it counted.
    let last = names[59].clone();
    let runtime = Runtime::builder()
        .retriever(ranking(&said))
        .retriever(ranking(&["tool_59"]))
        .build()?;
    let _tools = runtime.register_all(Owner::Global, tools.collect::<Vec<_>>())?;
    let session = runtime.session(SessionInfo::new("s"));
    let found = found(&session, "天气", 50).await;
    assert_eq!(found[..2], [names[0].clone(), last]);
    assert_eq!(found[2..], names[1..49]);
    Ok(())
}

#[tokio::test]
async fn queries_without_a_word_and_names_ask_nobody() -> Result<(), BuildError> {
    let (retriever, asked) = noting(&["phone"]);
    let session = session(builder().retriever(retriever))?;
    for query in ["", "  ", "?!", "😀", "the of and", "select:mail", "select:"] {
        let arguments = json!({"queries": [query]});
        let answer = searched(&session, arguments).await;
        assert!(!answer.text().contains("phone` can be called"), "{query}");
        assert_eq!(taken(&asked), [], "{query}");
    }
    assert_eq!(
        found(&session, " select:mail,phone", 1).await,
        ["mail", "phone"]
    );
    assert_eq!(found(&session, "weather", 0).await, Vec::<String>::new());
    assert_eq!(taken(&asked), []);
    // Of a long query as much is asked as is searched for.
    found(&session, &format!("the weather {}", "天".repeat(9_000)), 5).await;
    assert_eq!(
        taken(&asked)[0].0,
        format!("the weather {}", "天".repeat(2_662))
    );
    Ok(())
}

/// An error that cannot be shown.
#[derive(Debug)]
struct Unspeakable;

impl fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("no words")
    }
}

impl Error for Unspeakable {}

/// Panics before there is a future.
struct Hasty;

impl Retriever for Hasty {
    fn retrieve<'a>(
        &'a self,
        _: &'a str,
        _: &'a [ToolDefinition],
        _: usize,
    ) -> BoxFuture<'a, Ranked> {
        panic!("at once")
    }

    fn name(&self) -> &str {
        "hasty"
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_fails_is_left_out_and_the_others_serve() -> Result<(), BuildError> {
    let warnings = Warnings::default();
    let _logged = tracing::subscriber::set_default(warnings.clone());
    let failing = builder()
        .retriever(answering(|_| async { Err("the model is gone".into()) }))
        .retriever(answering(|_| async { Err(Unspeakable.into()) }))
        .retriever(answering(|_| async { panic!("in the middle") }))
        .retriever(Hasty)
        .retriever(answering(|_| pending()))
        .retriever(ranking(&["phone"]));
    let session = session(failing)?;
    let started = Instant::now();
    let seen = found(&session, "weather", 5).await;
    assert_eq!(seen, ["almanac", "phone", "barometer"]);
    let took = started.elapsed();
    assert!(
        (RETRIEVER_TIMEOUT..RETRIEVER_TIMEOUT + Duration::from_millis(10)).contains(&took),
        "{took:?}"
    );
    let out = "a retriever was left out of a search";
    assert_eq!(
        warnings.taken(),
        [
            format!("{out} retriever=retriever why=the model is gone"),
            format!("{out} retriever=retriever why=it panicked: no words"),
            format!("{out} retriever=retriever why=it panicked: in the middle"),
            format!("{out} retriever=hasty why=it panicked: at once"),
            format!("{out} retriever=retriever why=it took longer than 5s"),
        ]
    );
    Ok(())
}

#[tokio::test]
async fn without_those_that_fail_the_answer_is_that_of_the_words() -> Result<(), BuildError> {
    let words = session(builder())?;
    let failing = session(builder().retriever(Hasty))?;
    for arguments in [
        json!({"queries": ["weather", "message"], "limit": 1}),
        json!({"queries": ["select:phone", "zzz"]}),
        json!({"queries": ["barometer"]}),
    ] {
        let expected = searched(&words, arguments.clone()).await;
        let answer = searched(&failing, arguments).await;
        assert_eq!(answer.text(), expected.text());
        assert_eq!(answer.structured(), expected.structured());
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn all_queries_ask_all_retrievers_at_once() -> Result<(), BuildError> {
    let slow = |name: &'static str| {
        answering(move |query| async move {
            sleep(Duration::from_secs(2)).await;
            Ok(vec![
                if query.contains('1') { name } else { "almanac" }.to_owned(),
            ])
        })
    };
    let session = session(builder().retriever(slow("mail")).retriever(slow("phone")))?;
    let started = Instant::now();
    let queries: Vec<String> = (1..=10).map(|number| format!("query {number}")).collect();
    let answer = searched(&session, json!({"queries": queries})).await;
    assert_eq!(started.elapsed().as_secs(), 2);
    assert_eq!(
        answer.structured(),
        Some(&json!({"loaded": ["mail", "almanac", "phone"], "known": [], "notes": []}))
    );
    Ok(())
}

/// Tells that it was dropped.
struct Dropped(Arc<Mutex<usize>>);

impl Drop for Dropped {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    }
}

#[tokio::test(start_paused = true)]
async fn a_search_that_ends_early_drops_what_it_asked() -> Result<(), BuildError> {
    let dropped: Arc<Mutex<usize>> = Arc::default();
    let drops = Arc::clone(&dropped);
    let hanging = answering(move |_| {
        let drops = Dropped(Arc::clone(&drops));
        async move {
            pending::<()>().await;
            drop(drops);
            Ok(Vec::new())
        }
    });
    let session = session(builder().retriever(hanging))?;
    let count = || *dropped.lock().unwrap_or_else(PoisonError::into_inner);
    let started = Instant::now();
    let search = tokio::spawn({
        let session = session.clone();
        async move { searched(&session, json!({"queries": ["weather", "message"]})).await }
    });
    sleep(Duration::from_secs(1)).await;
    assert_eq!(session.cancel("call_1"), 1);
    let answer = search.await;
    let error = answer.as_ref().ok().and_then(ToolResult::error);
    assert_eq!(error, Some(ErrorKind::Cancelled), "{answer:?}");
    assert_eq!((started.elapsed().as_secs(), count()), (1, 2));
    assert_eq!(session.definitions().len(), 1, "nothing was loaded");

    let search = session.search("weather", 5);
    assert!(search.now_or_never().is_none());
    assert_eq!(count(), 3);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_goes_meanwhile_is_not_found() -> Result<(), BuildError> {
    let slow = answering(|_| async {
        sleep(Duration::from_secs(1)).await;
        Ok(vec!["radio".to_owned(), "phone".to_owned()])
    });
    let runtime = builder().retriever(slow).build()?;
    let radio = runtime.register(Owner::Global, plain("radio", "Plays"))?;
    let session = runtime.session(SessionInfo::new("s"));
    let going = async {
        sleep(Duration::from_millis(500)).await;
        drop(radio);
    };
    let (seen, ()) = tokio::join!(found(&session, "what do they say", 5), going);
    assert_eq!(seen, ["phone"]);
    Ok(())
}

/// Enough that their index is made on a thread of its own where there is one.
fn many(runtime: &Runtime) -> Result<(), BuildError> {
    let tools = (0..300).map(|number| {
        let text = format!("Does the thing of number {number}");
        plain(&format!("tool_{number}"), &text)
    });
    runtime
        .register_all(Owner::Global, tools.collect::<Vec<_>>())?
        .keep();
    Ok(())
}

#[test]
fn a_search_by_words_needs_no_tokio() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let names = |query| found(&session, query, 1).now_or_never();
    assert_eq!(names("message"), Some(vec!["mail".to_owned()]));
    many(&runtime)?;
    assert_eq!(names("number 207"), Some(vec!["tool_207".to_owned()]));
    Ok(())
}

#[tokio::test]
async fn a_search_of_many_tools_finds_the_same_in_a_task() -> Result<(), BuildError> {
    let runtime = builder().build()?;
    many(&runtime)?;
    let session = runtime.session(SessionInfo::new("s"));
    let search = tokio::spawn(async move { found(&session, "number 207", 1).await });
    assert_eq!(search.await.ok(), Some(vec!["tool_207".to_owned()]));
    Ok(())
}

#[test]
fn without_a_timer_only_answers_that_are_there_at_once_count() -> Result<(), BuildError> {
    let quick = session(builder().retriever(ranking(&["phone"])))?;
    let seen = found(&quick, "message", 5).now_or_never();
    assert_eq!(seen, Some(vec!["mail".to_owned(), "phone".to_owned()]));
    let hanging = session(builder().retriever(answering(|_| pending())))?;
    let seen = found(&hanging, "message", 5).now_or_never();
    assert_eq!(seen, Some(vec!["mail".to_owned()]));
    Ok(())
}

/// The warnings of the crate, each with its fields.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("chatluna_tool") && *metadata.level() == Level::WARN
    }

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// An event in words.
#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.0 = format!("{value:?}"),
            name => self.0 += &format!(" {name}={value:?}"),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}
