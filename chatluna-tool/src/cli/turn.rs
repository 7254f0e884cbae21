//! `turn`: a model's reply in, the messages that answer it out.

use super::controls::escape_controls;
use super::judging::Judging;
use super::live::Live;
use super::provider::Provider;
use super::{Outcome, Usage, read};
use crate::arguments::masked;
use crate::call::{ToolCall, ToolResult};
use crate::runtime::Runtime;
use crate::session::Session;
use anstyle::{AnsiColor, Style};
use futures_util::FutureExt;
use futures_util::future::{Either, select};
use std::borrow::Cow;
use std::future::pending;
use std::pin::pin;
use std::process::exit;
use std::time::{Duration, Instant};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
/// The exit code of a program that was interrupted, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;
/// The most characters of arguments and of a result in the trace.
const SHOWN: usize = 60;

pub(super) async fn turn(
    runtime: &Runtime,
    judging: &Judging,
    file: &str,
    provider: Provider,
) -> Result<Outcome, Usage> {
    let session = &judging.session(runtime)?;
    let reply = read(file)?;
    let calls = provider
        .calls(&reply)
        .map_err(|error| format!("`{file}`: {error}"))?;
    let started = Instant::now();
    // Questions and bars would write over each other.
    let live = if judging.ask {
        Live::plain()
    } else {
        Live::new()
    };
    let (results, is_interrupted) = run(session, calls.clone(), live).await;
    trace(session, &calls, &results, started.elapsed());
    end_tasks(session).await;
    let messages = format!("{:#}", provider.messages(&results));
    Ok(if is_interrupted {
        Outcome::Interrupted(messages)
    } else {
        Outcome::Printed(messages)
    })
}

/// Runs the calls and shows how they go. Ctrl-C cancels them, so that each still has a result; a
/// second one ends the program.
async fn run(session: &Session, calls: Vec<ToolCall>, mut live: Live) -> (Vec<ToolResult>, bool) {
    let mut events = session.events();
    let mut is_interrupted = false;
    let mut running = pin!(session.execute(calls));
    let mut interruption = Box::pin(interrupt());
    let results = loop {
        let event = pin!(events.next());
        let happening = select(event, &mut interruption);
        match select(running.as_mut(), happening).await {
            Either::Left((results, _)) => break results,
            Either::Right((Either::Left((event, _)), _)) => {
                event.into_iter().for_each(|event| live.show(event));
            }
            Either::Right((Either::Right(_), _)) if is_interrupted => exit(INTERRUPTED.into()),
            Either::Right((Either::Right(_), _)) => {
                is_interrupted = true;
                interruption = Box::pin(interrupt());
                session.abort();
            }
        }
    };
    while let Some(Some(event)) = events.next().now_or_never() {
        live.show(event);
    }
    live.finish();
    (results, is_interrupted)
}

/// Tells what still runs to end: it cannot outlive the program.
pub(super) async fn end_tasks(session: &Session) {
    let background = session.background();
    let tasks = background.list().into_iter();
    let running: Vec<_> = tasks.filter(|task| !task.status.has_ended()).collect();
    for task in &running {
        let (id, name) = (&task.id, shown(&task.name));
        anstream::eprintln!("{name}: {id} is told to end, for this program does");
        background.cancel(id);
    }
    for task in &running {
        background.wait(&task.id).await;
    }
}

/// Waits for Ctrl-C; for ever where the system does not tell of it.
async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        pending::<()>().await;
    }
}

/// One line a call, then the sum, on standard error.
fn trace(session: &Session, calls: &[ToolCall], results: &[ToolResult], elapsed: Duration) {
    let width = results.iter().map(|result| status(result).len()).max();
    for (call, result) in calls.iter().zip(results) {
        let style = if result.error().is_none() { GOOD } else { BAD };
        let (status, width) = (status(result), width.unwrap_or_default());
        let time = time(result.elapsed());
        let (name, arguments) = (shown(&call.name), shown(&arguments(session, call)));
        let text = shown(words(result, &result.text()));
        anstream::eprintln!(
            "{style}{status:width$}{style:#} {time:>8}  {name} {arguments} -> {text}"
        );
        for repair in result.repairs() {
            anstream::eprintln!("{:width$} {:>8}  {}", "", "~", shown(&repair.to_string()));
        }
    }
    let failed = results
        .iter()
        .filter(|result| result.error().is_some())
        .count();
    match results.len() {
        0 => anstream::eprintln!("no calls: the model is done"),
        count => anstream::eprintln!("{count} calls, {failed} not done, {elapsed:.1?}"),
    }
}

/// The text of the arguments without secret values.
fn arguments<'a>(session: &Session, call: &'a ToolCall) -> Cow<'a, str> {
    let view = session.view();
    let tool = view.look_up(call);
    let rows = tool.map_or(&[][..], |(tool, _)| tool.definition().rows());
    let sent = call.arguments.text();
    masked(&call.arguments, rows).map_or(Cow::Borrowed(sent), Cow::Owned)
}

fn status(result: &ToolResult) -> &'static str {
    result.error().map_or("ok", |kind| kind.as_str())
}

/// A dash for what did not run.
fn time(elapsed: Duration) -> String {
    match elapsed {
        Duration::ZERO => "-".to_owned(),
        elapsed => format!("{elapsed:.1?}"),
    }
}

/// The text without the kind of error, which stands at the beginning of the line.
fn words<'a>(result: &ToolResult, text: &'a str) -> &'a str {
    let rest = result
        .error()
        .and_then(|kind| text.strip_prefix(&format!("error ({kind}): ")));
    rest.unwrap_or(text)
}

/// On one line and not too long, with what a terminal would obey made visible.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => escape_controls(&text[..end]) + "…",
        None => escape_controls(text),
    }
}
