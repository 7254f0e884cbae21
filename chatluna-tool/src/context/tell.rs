//! What a call tells of itself on the way.

use super::CallContext;
use crate::background::Progress;
use crate::event::{CallEvent, EventKind};
use crate::marks::bounded;
use serde_json::Value;

impl CallContext {
    /// Tells whoever listens how far the call is: a fraction between 0 and 1, or none that is known.
    ///
    /// Of the message 1,000 bytes are kept and told, of the rest a `…`. Models do not read it, unless
    /// the call has become a task. See [`Session::events`](crate::Session::events).
    pub fn progress(&self, fraction: impl Into<Option<f64>>, message: impl Into<String>) {
        let fraction: Option<f64> = fraction.into();
        let fraction = fraction.map(|part| part.clamp(0.0, 1.0));
        let message = bounded(message.into());
        let progress = Progress::new(fraction.filter(|part| !part.is_nan()), message);
        self.emit(|| EventKind::Progress {
            fraction: progress.fraction,
            message: progress.message.clone(),
        });
        self.rare().marks().progress = Some(progress);
    }

    /// Tells whoever listens a line of the call's log: 1,000 bytes of it, and of the rest a `…`.
    /// Models do not read it, unless the call has become a task: of that they can read the last 100
    /// lines.
    pub fn log(&self, line: impl Into<String>) {
        let line = bounded(line.into());
        self.emit(|| EventKind::Log(line.clone()));
        self.rare().marks().log(line);
    }

    /// Sets what people see in place of the tool's title: [`ToolResult::title`].
    ///
    /// [`ToolResult::title`]: crate::ToolResult::title
    pub fn title(&self, text: impl Into<String>) {
        self.rare().marks().shown.get_or_insert_default().title = Some(text.into());
    }

    /// Sets data for the host program, which models do not read: [`ToolResult::metadata`].
    ///
    /// [`ToolResult::metadata`]: crate::ToolResult::metadata
    pub fn metadata(&self, value: Value) {
        self.rare().marks().shown.get_or_insert_default().metadata = Some(value);
    }

    /// Runs one side effect of the call under a name.
    ///
    /// An executor that survives a crash keeps the result and does not run it again; the one of this
    /// crate just awaits it.
    pub async fn step<F: Future>(&self, name: &str, future: F) -> F::Output {
        let _ = name;
        future.await
    }

    /// Tells whoever listens, once, that the call goes on in the background. Whoever comes second
    /// waits until it is told.
    pub(crate) fn tell_of_task(&self) {
        let task = self.task_id();
        let tell = || self.emit(|| EventKind::MovedToBackground(task));
        self.rare().moved.get_or_init(tell);
    }

    /// Tells whoever listens.
    pub(crate) fn emit(&self, kind: impl FnOnce() -> EventKind) {
        self.0.session.channel().send(|| CallEvent {
            id: self.0.id.clone(),
            tool: self.name().to_owned(),
            number: self.0.number,
            kind: kind(),
        });
    }
}
