//! The code of a call: prepared, running, over.

use crate::BoxFuture;
use crate::context::CallContext;
use crate::error::ToolError;
use crate::guard::{Panicked, guard};
use crate::output::ToolOutput;
use crate::tool::PreparedCall;
use std::mem;
use std::task::{Context, Poll};

/// What a tool's future gives.
pub(crate) type Outcome = Result<ToolOutput, ToolError>;

/// A panic anywhere in it ends it, and nothing else.
pub(crate) enum Work {
    Prepared(Box<dyn PreparedCall>),
    Running(BoxFuture<'static, Outcome>),
    Over,
}

impl Work {
    #[inline]
    pub(crate) fn key(&self) -> Result<Option<String>, Panicked> {
        match self {
            Self::Prepared(prepared) => guard(|| prepared.key()),
            _ => Ok(None),
        }
    }

    /// Polls the tool's future as the call's code; the first poll makes it.
    #[inline]
    pub(crate) fn poll(
        &mut self,
        call: &CallContext,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Outcome, Panicked>> {
        let polled = call.within(|| guard(|| self.poll_unguarded(call, cx)));
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(panicked) => {
                let _ = self.end();
                Poll::Ready(Err(panicked))
            }
        }
    }

    #[inline]
    fn poll_unguarded(&mut self, call: &CallContext, cx: &mut Context<'_>) -> Poll<Outcome> {
        if let Self::Prepared(_) = self
            && let Self::Prepared(prepared) = mem::replace(self, Self::Over)
        {
            *self = Self::Running(prepared.run(call.clone()));
        }
        let Self::Running(future) = self else {
            return Poll::Pending;
        };
        let polled = future.as_mut().poll(cx);
        if polled.is_ready() {
            *self = Self::Over;
        }
        polled
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self, Self::Over)
    }

    /// Drops what is left. A panic is logged.
    pub(crate) fn abandon(&mut self) {
        if let Err(panicked) = self.end() {
            tracing::error!(%panicked, "a tool panicked while its call was dropped");
        }
    }

    fn end(&mut self) -> Result<(), Panicked> {
        let left = mem::replace(self, Self::Over);
        guard(|| match left {
            Self::Prepared(prepared) => drop(prepared),
            Self::Running(future) => drop(future),
            Self::Over => {}
        })
    }
}
