//! `turn`: a model's reply in, the messages that answer it out.

use super::provider::Provider;
use super::{Usage, read};
use crate::arguments::masked;
use crate::call::{ToolCall, ToolResult};
use crate::session::Session;
use anstyle::{AnsiColor, Style};
use std::borrow::Cow;
use std::fmt::Write;
use std::time::{Duration, Instant};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
/// The most characters of arguments and of a result in the trace.
const SHOWN: usize = 60;

pub(super) async fn turn(
    session: &Session,
    file: &str,
    provider: Provider,
) -> Result<String, Usage> {
    let reply = read(file)?;
    let calls = provider
        .calls(&reply)
        .map_err(|error| format!("`{file}`: {error}"))?;
    let started = Instant::now();
    let results = session.execute(calls.clone()).await;
    trace(session, &calls, &results, started.elapsed());
    Ok(format!("{:#}", provider.messages(&results)))
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
    let tool = session.look_up(call);
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

/// On one line, with what a terminal would obey made visible.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for (index, letter) in text.chars().enumerate() {
        if index == SHOWN {
            shown.push('…');
            break;
        }
        let _ = if letter.is_control() {
            write!(shown, "{}", letter.escape_default())
        } else {
            write!(shown, "{letter}")
        };
    }
    shown
}
