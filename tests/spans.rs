//! The tracing spans of calls.

use chatluna_tool::{
    BuildError, Runtime, RuntimeBuilder, SessionInfo, ToolCall, ToolError, tool, tools,
};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use tracing_core::span::Current;

/// Fails
#[tool(traits(effect = "read"))]
async fn fail() -> Result<(), ToolError> {
    Err(ToolError::new("unlucky"))
}

/// Logs in
#[tool(traits(effect = "read"))]
async fn login(user: &str, #[arg(secret)] password: &str) -> usize {
    user.len() + password.len()
}

/// Runs on a thread
#[tool(traits(effect = "read"))]
fn on_thread() {}

fn builder() -> RuntimeBuilder {
    Runtime::builder().tools(tools![fail, login, on_thread])
}

/// A span and what is recorded in it.
#[derive(Debug)]
struct Recorded {
    metadata: &'static Metadata<'static>,
    fields: BTreeMap<String, String>,
}

impl Visit for Recorded {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.fields
            .insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields
            .insert(field.name().to_owned(), value.to_owned());
    }
}

/// Keeps every span, and which threads are within.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    spans: Vec<Recorded>,
    entered: Vec<(ThreadId, u64)>,
    threads: HashSet<ThreadId>,
}

impl Spans {
    fn with<T>(&self, act: impl FnOnce(&mut Kept) -> T) -> T {
        act(&mut self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("chatluna_tool")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut recorded = Recorded {
            metadata: attributes.metadata(),
            fields: BTreeMap::new(),
        };
        attributes.record(&mut recorded);
        self.with(|kept| {
            kept.spans.push(recorded);
            Id::from_u64(kept.spans.len() as u64)
        })
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.with(|kept| values.record(&mut kept.spans[span.into_u64() as usize - 1]));
    }

    fn current_span(&self) -> Current {
        let thread = std::thread::current().id();
        self.with(|kept| {
            let mut inside = kept.entered.iter().rev();
            match inside.find(|(other, _)| *other == thread) {
                Some((_, id)) => {
                    Current::new(Id::from_u64(*id), kept.spans[*id as usize - 1].metadata)
                }
                None => Current::none(),
            }
        })
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &tracing::Event<'_>) {}

    fn enter(&self, span: &Id) {
        let thread = std::thread::current().id();
        self.with(|kept| {
            kept.entered.push((thread, span.into_u64()));
            kept.threads.insert(thread);
        });
    }

    fn exit(&self, span: &Id) {
        let left = (std::thread::current().id(), span.into_u64());
        self.with(|kept| {
            let index = kept.entered.iter().rposition(|entered| *entered == left);
            index.map(|index| kept.entered.remove(index));
        });
    }
}

/// Tracing asks who listens to a place of the program once for all threads.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn traced(builder: RuntimeBuilder, calls: Vec<ToolCall>) -> Result<Kept, BuildError> {
    let _alone = ONE_AT_A_TIME.lock();
    let spans = Spans::default();
    let session = builder.build()?.session(SessionInfo::new("spans"));
    // The threads of the pool are told too.
    let dispatch = tracing::Dispatch::new(spans.clone());
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    if let Ok(tokio) = tokio {
        tracing::dispatcher::with_default(&dispatch, || tokio.block_on(session.execute(calls)));
    }
    Ok(spans.with(std::mem::take))
}

#[test]
fn spans_follow_the_conventions_of_opentelemetry() -> Result<(), BuildError> {
    let call = ToolCall::new("fail", "{}").id("a");
    let kept = traced(builder(), vec![call])?;
    let [span] = &kept.spans[..] else {
        panic!("one span a call: {:?}", kept.spans);
    };
    assert_eq!(span.metadata.name(), "execute_tool");
    let fields: Vec<(&str, &str)> = span
        .fields
        .iter()
        .map(|(key, value)| (&**key, &**value))
        .collect();
    assert_eq!(
        fields,
        [
            ("error.type", "failed"),
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.call.id", "a"),
            ("gen_ai.tool.name", "fail"),
            ("gen_ai.tool.type", "function"),
            ("otel.name", "execute_tool fail"),
        ]
    );
    assert!(kept.entered.is_empty());
    Ok(())
}

#[test]
fn arguments_are_traced_when_asked_for_and_secrets_never() -> Result<(), BuildError> {
    let login = || ToolCall::new("login", r#"{"user": "li", "password": "cod"}"#).id("a");
    let kept = traced(builder(), vec![login()])?;
    let fields = &kept.spans[0].fields;
    assert_eq!(fields.get("gen_ai.tool.call.arguments"), None);
    let kept = traced(builder().trace_arguments(), vec![login()])?;
    assert_eq!(
        kept.spans[0].fields["gen_ai.tool.call.arguments"],
        r#"{"user":"li","password":"***"}"#
    );
    Ok(())
}

#[test]
fn a_span_goes_along_to_the_thread_of_a_plain_function() -> Result<(), BuildError> {
    let kept = traced(builder(), vec![ToolCall::new("on_thread", "{}")])?;
    assert_eq!(kept.spans[0].fields["otel.name"], "execute_tool on_thread");
    assert_eq!(kept.threads.len(), 2);
    assert!(kept.entered.is_empty());
    Ok(())
}
