//! What happens while a step runs, on standard error: a line a call on a terminal, a plain log else.

use super::controls::escape_controls;
use super::turn::shown;
use crate::event::{CallEvent, Event, EventKind, Events};
use crate::permission::Decision;
use futures_util::FutureExt;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// How often a spinner turns.
const TICK: Duration = Duration::from_millis(100);
/// The steps of a bar.
const WHOLE: u64 = 1_000;

pub(super) struct Live {
    /// Where a terminal shows it.
    screen: Option<MultiProgress>,
    bars: BTreeMap<u64, ProgressBar>,
}

impl Live {
    pub(super) fn new() -> Self {
        Self {
            screen: stderr().is_terminal().then(MultiProgress::new),
            bars: BTreeMap::new(),
        }
    }

    /// A log also on a terminal.
    pub(super) fn plain() -> Self {
        Self {
            screen: None,
            bars: BTreeMap::new(),
        }
    }

    pub(super) fn show(&mut self, event: Event) {
        match (event, self.screen.clone()) {
            (Event::Call(event), Some(screen)) => self.draw(&screen, &event),
            (Event::Call(event), None) => log(&event),
            (Event::ToolsChanged, _) => {}
            (Event::Missed(count), _) => self.line(&format!("{count} events were missed")),
        }
    }

    /// Takes all bars away: the results are printed in their place.
    pub(super) fn finish(&mut self) {
        std::mem::take(&mut self.bars)
            .values()
            .for_each(ProgressBar::finish_and_clear);
    }

    /// A line above the bars.
    fn line(&self, line: &str) {
        match &self.screen {
            Some(screen) => screen.suspend(|| anstream::eprintln!("{line}")),
            None => anstream::eprintln!("{line}"),
        }
    }

    fn draw(&mut self, screen: &MultiProgress, event: &CallEvent) {
        let tool = shown(&event.tool);
        match &event.kind {
            EventKind::Started => {
                let bar = screen.add(ProgressBar::new_spinner());
                bar.set_style(style("{spinner} {elapsed:>4} {prefix}  {wide_msg}"));
                bar.set_prefix(tool);
                bar.enable_steady_tick(TICK);
                self.bars.insert(event.number, bar);
            }
            EventKind::Progress { fraction, message } => {
                if let Some(bar) = self.bars.get(&event.number) {
                    advance(bar, *fraction);
                    bar.set_message(shown(message));
                }
            }
            EventKind::Log(line) => self.line(&format!("{tool}: {}", shown(line))),
            EventKind::Shadowed(decision) => self.line(&shadowed(&tool, decision)),
            EventKind::MovedToBackground(task) => {
                self.end(event.number);
                self.line(&format!("{tool}: goes on in the background as {task}"));
            }
            EventKind::Finished { .. } => self.end(event.number),
            _ => {}
        }
    }

    fn end(&mut self, number: u64) {
        if let Some(bar) = self.bars.remove(&number) {
            bar.finish_and_clear();
        }
    }
}

fn advance(bar: &ProgressBar, fraction: Option<f64>) {
    let Some(fraction) = fraction else { return };
    if bar.length().is_none() {
        bar.set_length(WHOLE);
        bar.set_style(style(
            "{spinner} {elapsed:>4} {prefix}  {bar:16} {percent:>3}% {wide_msg}",
        ));
    }
    bar.set_position((fraction * WHOLE as f64) as u64);
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// Tells what a policy in the shadow would have said so far.
pub(super) fn tell_shadow(events: &mut Events) {
    while let Some(Some(event)) = events.next().now_or_never() {
        if let Event::Call(event) = event
            && let EventKind::Shadowed(decision) = &event.kind
        {
            anstream::eprintln!("{}", shadowed(&shown(&event.tool), decision));
        }
    }
}

fn shadowed(tool: &str, decision: &Decision) -> String {
    format!(
        "{tool}: the policy in the shadow would {}",
        escape_controls(&decision.to_string())
    )
}

/// What the results do not tell.
fn log(event: &CallEvent) {
    let tool = shown(&event.tool);
    match &event.kind {
        EventKind::Progress { fraction, message } => {
            let percent = fraction.map(|part| format!("{:.0}% ", part * 100.0));
            let percent = percent.unwrap_or_default();
            anstream::eprintln!("{tool}: {percent}{}", shown(message));
        }
        EventKind::Log(line) => anstream::eprintln!("{tool}: {}", shown(line)),
        EventKind::Shadowed(decision) => anstream::eprintln!("{}", shadowed(&tool, decision)),
        EventKind::MovedToBackground(task) => {
            anstream::eprintln!("{tool}: goes on in the background as {task}");
        }
        _ => {}
    }
}
