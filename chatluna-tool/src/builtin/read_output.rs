//! `read_output`: reads on in a result that was too long.

use super::Builtin;
use crate::__private::blocking;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::fn_tool::FnTool;
use crate::output::{Count, Missing, Output, OutputCap, ToolOutput};
use crate::session::Session;
use crate::tool::{Effect, Traits};
use regex_lite::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

/// The output from which on a thread of its own is used to read it, as for one in a file: it takes
/// milliseconds.
const LONG: usize = 1 << 20;

/// The most bytes of the line that says where a page stands.
const HEADER_BYTES: usize = 160;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadOutput {
    /// The handle that stands where the output was cut
    handle: String,
    /// The first line to read, from 1
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    offset: usize,
    /// The most lines to read
    #[serde(default = "page")]
    #[schemars(range(min = 1))]
    limit: usize,
    /// Read only lines that match this regular expression
    grep: Option<String>,
}

fn first() -> usize {
    1
}

fn page() -> usize {
    200
}

pub(super) fn tool() -> Builtin {
    let description = "Reads an output that was too long and was cut, or searches it. \
         Lines are numbered; one over 2,000 bytes counts as several.";
    let definition = ToolDefinition::new("read_output", description).traits(
        Traits::new()
            .parallel()
            .effect(Effect::Read)
            .output_cap(Traits::NO_OUTPUT_CAP),
    );
    Builtin::new(FnTool::new(definition, read_output), |view| {
        view.session().has_outputs()
    })
}

async fn read_output(wanted: ReadOutput, call: CallContext) -> Result<ToolOutput, ToolError> {
    let at_hand = call.session_handle().output_at_hand(&wanted.handle);
    // A failure is told at once.
    let is_short = |found: &Result<Output, _>| found.as_ref().map_or(0, Output::len) < LONG;
    let is_quick = at_hand.as_ref().is_some_and(is_short);
    let read = move |call: &CallContext| read(&wanted, call.session_handle(), at_hand);
    if is_quick || tokio::runtime::Handle::try_current().is_err() {
        return read(&call);
    }
    blocking(call, read).await
}

fn read(
    wanted: &ReadOutput,
    session: &Session,
    at_hand: Option<Result<Output, Missing>>,
) -> Result<ToolOutput, ToolError> {
    let output = at_hand.unwrap_or_else(|| session.output(&wanted.handle));
    let output = output.map_err(|missing| missed(&wanted.handle, missing))?;
    let grep = wanted.grep.as_deref().map(pattern).transpose()?;
    Page::read(&output, wanted, grep.as_ref(), session.output_cap()).told(wanted)
}

fn missed(handle: &str, missing: Missing) -> ToolError {
    match missing {
        Missing::Forgotten => ToolError::new(format_args!(
            "`{handle}` was forgotten to make room for newer outputs; \
             if it is still needed, call its tool again, for less at a time"
        )),
        Missing::Unknown(handles) if handles.is_empty() => {
            ToolError::new("no output of this session is kept; call its tool again")
        }
        Missing::Unknown(handles) => {
            let handle: String = handle.chars().take(80).collect();
            ToolError::retry(format_args!(
                "this session has no output `{handle}`; it has {}",
                handles.join(", ")
            ))
        }
    }
}

fn pattern(text: &str) -> Result<Regex, ToolError> {
    Regex::new(text).map_err(|error| {
        ToolError::retry(format_args!(
            "`grep` is not a regular expression: {error}; \
             a sign that stands for itself has a backslash before it, such as `\\(`"
        ))
    })
}

/// Lines of an output that fit into one answer.
struct Page {
    body: String,
    /// The numbers of the first and the last line.
    span: Option<(usize, usize)>,
    shown: usize,
    /// How many lines match, from the offset on.
    matching: usize,
    /// The first that does not fit.
    next: Option<usize>,
    /// How many lines the output has.
    total: usize,
}

impl Page {
    fn read(output: &Output, wanted: &ReadOutput, grep: Option<&Regex>, cap: OutputCap) -> Self {
        let mut page = Self {
            body: String::new(),
            span: None,
            shown: 0,
            matching: 0,
            next: None,
            total: 0,
        };
        let max_lines = wanted.limit.min(cap.lines.saturating_sub(1)).max(1);
        let max_bytes = cap.bytes.saturating_sub(HEADER_BYTES);
        for (number, line) in (1..).zip(output.lines()) {
            page.total = number;
            if number < wanted.offset || !grep.is_none_or(|grep| grep.is_match(line)) {
                continue;
            }
            page.matching += 1;
            if page.next.is_none() {
                page.add(number, line, max_lines, max_bytes);
            }
        }
        page
    }

    /// Adds a line if it fits; the first does in any case.
    fn add(&mut self, number: usize, line: &str, max_lines: usize, max_bytes: usize) {
        let line = format!("\n{number}: {line}");
        let fits = self.shown < max_lines && self.body.len() + line.len() <= max_bytes;
        if self.shown > 0 && !fits {
            self.next = Some(number);
            return;
        }
        self.body += &line;
        self.shown += 1;
        self.span = Some((self.span.map_or(number, |(first, _)| first), number));
    }

    /// The page behind the line that says where it stands.
    fn told(self, wanted: &ReadOutput) -> Result<ToolOutput, ToolError> {
        let ReadOutput { handle, offset, .. } = wanted;
        let (total, matching) = (Count(self.total), Count(self.matching));
        if *offset > self.total {
            return Err(ToolError::retry(format_args!(
                "`{handle}` has {total} lines, so `offset` {offset} is past its end; \
                 without `offset` it is read from the first"
            )));
        }
        let from = match offset {
            1 => String::new(),
            offset => format!(" from line {} on", Count(*offset)),
        };
        let Some((first, last)) = self.span else {
            let text = format!("no line of {handle} matches{from}; it has {total} lines");
            return Ok(ToolOutput::text(text));
        };
        let stand = match wanted.grep {
            None => format!("lines {}-{} of {total}", Count(first), Count(last)),
            Some(_) => format!("{} of {matching} lines that match{from}", Count(self.shown)),
        };
        let on = match self.next {
            Some(next) => format!("\"offset\": {next} goes on"),
            None => "the end".to_owned(),
        };
        Ok(ToolOutput::text(format!(
            "{handle}, {stand}; {on}{}",
            self.body
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::{Missing, missed};

    #[test]
    fn what_is_missing_is_told_with_what_to_do() {
        assert_eq!(
            missed("output_1", Missing::Forgotten).to_string(),
            "`output_1` was forgotten to make room for newer outputs; \
             if it is still needed, call its tool again, for less at a time"
        );
        assert_eq!(
            missed("output_1", Missing::Unknown(Vec::new())).to_string(),
            "no output of this session is kept; call its tool again"
        );
    }
}
