//! The tracing span of a call.

use crate::context::CallContext;
use tracing::field::Empty;
use tracing::{Span, info_span};

/// A span as OpenTelemetry's conventions for generative AI name it; `None` where nobody listens.
///
/// <https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/#execute-tool-span>
pub(super) fn span_of(call: &CallContext) -> Option<Box<Span>> {
    let span = info_span!(
        "execute_tool",
        otel.name = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = call.name(),
        gen_ai.tool.r#type = "function",
        gen_ai.tool.call.id = call.id(),
        gen_ai.tool.call.arguments = Empty,
        error.r#type = Empty,
    );
    if span.is_disabled() {
        return None;
    }
    span.record("otel.name", format_args!("execute_tool {}", call.name()));
    if call.session_handle().traces_arguments() {
        let arguments = call.shown_arguments();
        span.record("gen_ai.tool.call.arguments", &*arguments);
    }
    Some(Box::new(span))
}
