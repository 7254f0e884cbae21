//! The wall between the runtime and user code: a panic becomes a value.

use crate::BoxFuture;
use crate::error::{ErrorKind, ToolError};
use std::any::Any;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// What a panic said.
#[derive(Debug)]
pub(crate) struct Panicked(String);

impl Panicked {
    pub(crate) fn of(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self(text.unwrap_or_else(|| "no message".to_owned()))
    }

    /// The error of a call in which this panicked.
    pub(crate) fn error(&self, what: &str) -> ToolError {
        ToolError::of_kind(ErrorKind::Panicked, format_args!("{what} panicked: {self}"))
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs user code. What it touched is dropped by the caller, not used again.
#[inline]
pub(crate) fn guard<T>(code: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(code)).map_err(caught)
}

#[cold]
fn caught(payload: Box<dyn Any + Send>) -> Panicked {
    let panicked = Panicked::of(&*payload);
    // A payload may panic in its own drop.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
    panicked
}

/// Drops something of user code. A panic is logged.
pub(crate) fn drop_guarded<T>(value: T) {
    if let Err(panicked) = guard(|| drop(value)) {
        tracing::error!(%panicked, "a tool panicked while its call was dropped");
    }
}

/// A future of user code: a panic in `poll` or in its drop ends it and nothing else.
pub(crate) struct Guarded<'code, T> {
    future: Option<BoxFuture<'code, T>>,
}

impl<'code, T> Guarded<'code, T> {
    pub(crate) fn new(future: BoxFuture<'code, T>) -> Self {
        let future = Some(future);
        Self { future }
    }

    /// Drops the future, whether it is done or not.
    fn end(&mut self) -> Result<(), Panicked> {
        let future = self.future.take();
        guard(|| drop(future))
    }
}

impl<T> Future for Guarded<'_, T> {
    type Output = Result<T, Panicked>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let slot = &mut self.future;
        let polled = guard(|| {
            let future = slot.as_mut()?;
            let polled = future.as_mut().poll(cx);
            if polled.is_ready() {
                drop(slot.take());
            }
            Some(polled)
        });
        match polled {
            Ok(polled) => polled.unwrap_or(Poll::Pending).map(Ok),
            Err(panicked) => {
                let _ = self.end();
                Poll::Ready(Err(panicked))
            }
        }
    }
}

impl<T> Drop for Guarded<'_, T> {
    fn drop(&mut self) {
        if self.future.is_some()
            && let Err(panicked) = self.end()
        {
            tracing::error!(%panicked, "what was waited for panicked while it was dropped");
        }
    }
}
