//! Calls that arrive in pieces.

use super::{Dialect, WireError, value};
use crate::arguments::Arguments;
use crate::call::ToolCall;
use serde::Serialize;
use serde_json::Value;

/// Puts the calls of a streamed reply together.
///
/// Feed it the body of the response as it arrives, cut anywhere
/// ([`push`](Self::push)), or the events that a client crate has read already
/// ([`push_event`](Self::push_event)). A stream that breaks is an error of the
/// calls it broke in, when they are executed; the others are whole.
///
/// ```
/// use chatluna_tool::openai::Deltas;
///
/// let mut deltas = Deltas::new();
/// deltas.push(b"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",");
/// deltas.push(b"\"function\":{\"name\":\"ping\",\"arguments\":\"{}\"}}]}}]}\n\n");
/// deltas.push(b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n");
/// deltas.push(b"data: [DONE]\n\n");
/// let calls = deltas.finish()?;
/// assert_eq!((&*calls[0].id, &*calls[0].name), ("c", "ping"));
/// # Ok::<(), chatluna_tool::WireError>(())
/// ```
#[derive(Debug, Default)]
pub struct Deltas<A> {
    body: Events,
    assembler: A,
    /// Whether any event was read.
    begun: bool,
    /// Whether the stream said that it is over.
    done: bool,
    /// What went wrong on the way.
    error: Option<WireError>,
}

/// The assemblers are those of this crate.
pub trait Sealed {}

/// What a provider's events mean.
pub trait Assemble: Default + Sealed {
    /// Takes one event in.
    fn event(&mut self, event: &Value);
    /// An event was lost: calls that may have missed a piece are broken.
    fn lost(&mut self);
    /// Whether the provider said that the reply is complete.
    fn is_done(&self) -> bool;
    /// The calls, in the order in which they began.
    fn finish(self) -> Vec<ToolCall>;
}

impl<A: Assemble> Deltas<A> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            body: Events::default(),
            assembler: A::default(),
            begun: false,
            done: false,
            error: None,
        }
    }

    /// Takes the next bytes of the body in: server-sent events.
    pub fn push(&mut self, bytes: impl AsRef<[u8]>) {
        for event in self.body.push(bytes.as_ref()) {
            self.take_bytes(&event);
        }
    }

    /// Takes one event in, as JSON text or as the type of a client crate.
    pub fn push_event(&mut self, event: &(impl Serialize + ?Sized)) {
        match value(event) {
            Ok(event) => self.take(&event),
            Err(error) => self.lost(error),
        }
    }

    /// The calls of the reply. Call it once the stream has ended, however it did.
    ///
    /// # Errors
    /// When there is no call and the stream was empty, broken, cut off or an error of the provider.
    pub fn finish(mut self) -> Result<Vec<ToolCall>, WireError> {
        if let Some(rest) = self.body.rest() {
            self.take_bytes(&rest);
        }
        if !self.begun {
            return Err(WireError::new("the stream held no events"));
        }
        let done = self.done || self.assembler.is_done();
        let calls = self.assembler.finish();
        match self.error {
            _ if !calls.is_empty() => Ok(calls),
            Some(error) => Err(error),
            // No calls would mean that the model is done.
            None if !done => Err(WireError::new(
                "the stream ended before the reply did; send the request again",
            )),
            None => Ok(calls),
        }
    }

    fn take_bytes(&mut self, event: &[u8]) {
        match serde_json::from_slice(event) {
            // The array that Gemini streams when it is not asked for events.
            Ok(Value::Array(events)) => events.iter().for_each(|event| self.take(event)),
            Ok(event) => self.take(&event),
            Err(_) if event == b"[DONE]" => (self.begun, self.done) = (true, true),
            Err(error) => self.lost(WireError::new(format_args!(
                "an event of the stream is not valid JSON: {error}"
            ))),
        }
    }

    fn take(&mut self, event: &Value) {
        self.begun = true;
        let errors = ["/error", "/response/error"].map(|pointer| event.pointer(pointer));
        // The Responses API has all of an error at the root.
        if text(event, "/type") == Some("error") && event.get("error").is_none() {
            self.lost(WireError::reported(event));
        }
        if let Some(error) = errors.into_iter().flatten().find(|error| !error.is_null()) {
            self.lost(WireError::reported(error));
        }
        self.assembler.event(event);
    }

    fn lost(&mut self, error: WireError) {
        self.begun = true;
        self.error.get_or_insert(error);
        self.assembler.lost();
    }
}

/// Server-sent events, cut anywhere. A body that is JSON as a whole is one event.
#[derive(Debug, Default)]
struct Events {
    /// The line at hand, or the whole body.
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    after_return: bool,
    body: Body,
}

#[derive(Debug, Default, PartialEq)]
enum Body {
    #[default]
    Unknown,
    Events,
    Json,
}

impl Events {
    /// The events that are complete now.
    fn push(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut events = Vec::new();
        for byte in bytes {
            if self.body == Body::Unknown && !byte.is_ascii_whitespace() {
                self.body = match byte {
                    b'[' | b'{' => Body::Json,
                    _ => Body::Events,
                };
            }
            match byte {
                b'\r' | b'\n' if self.body != Body::Json => {
                    let second_half = *byte == b'\n' && self.after_return;
                    if !second_half {
                        events.extend(self.end_line());
                    }
                }
                _ => self.line.push(*byte),
            }
            self.after_return = *byte == b'\r';
        }
        events
    }

    /// What stands behind the last complete event.
    fn rest(&mut self) -> Option<Vec<u8>> {
        if self.body == Body::Json {
            return Some(std::mem::take(&mut self.line));
        }
        self.end_line().or_else(|| self.data.take())
    }

    /// A blank line ends an event; of the other lines, `data` counts.
    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.data.take().filter(|data| !data.is_empty());
        }
        if let Some(data) = line.strip_prefix(b"data:") {
            let data = data.strip_prefix(b" ").unwrap_or(data);
            match &mut self.data {
                Some(lines) => lines.extend([b"\n", data].concat()),
                None => self.data = Some(data.to_vec()),
            }
        }
        None
    }
}

/// A call under way.
#[derive(Debug, Default)]
pub(super) struct Partial {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// A piece may be missing.
    pub(super) lost: bool,
    /// The provider said that nothing follows.
    pub(super) ended: bool,
}

impl Partial {
    pub(super) fn finish(self) -> ToolCall {
        let arguments = if self.lost {
            Arguments::broken(self.arguments, "the stream lost a part of them")
        } else if !self.ended && self.arguments.trim().is_empty() {
            // Blank arguments mean none at all, which nobody said.
            Arguments::from(self.arguments).cut_off()
        } else {
            self.arguments.into()
        };
        ToolCall::new(self.name, arguments).id(self.id)
    }
}

/// The calls of a reply under way, each with the index that the provider gives it.
pub(super) type Partials = Vec<(u64, Partial)>;

/// The call that was last begun under the index.
pub(super) fn find(calls: &mut Partials, index: u64) -> Option<&mut Partial> {
    let known = calls.iter_mut().rfind(|(other, _)| *other == index);
    known.map(|(_, call)| call)
}

/// Every call that has not ended may have missed a piece.
pub(super) fn lose_open(calls: &mut Partials) {
    for (_, call) in calls {
        call.lost |= !call.ended;
    }
}

pub(super) fn finished(calls: Partials, dialect: Dialect) -> Vec<ToolCall> {
    let calls = calls.into_iter();
    calls
        .map(|(_, call)| call.finish().dialect(dialect))
        .collect()
}

/// The index that an event has under the key; some servers leave it out where it is 0.
pub(super) fn index(event: &Value, key: &str) -> u64 {
    event.get(key).and_then(Value::as_u64).unwrap_or_default()
}

/// The text at a JSON pointer, if it is text.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}
