//! Head and tail of a text that is too long for a model.

use super::cap::{OutputCap, count_lines};
use super::lines::{floor_boundary, lines};
use super::size::Count;
use super::{Outputs, ToolOutput};

/// The most bytes of what stands between head and tail.
const MARKER_BYTES: usize = 240;

/// Where the rest of a text can be read.
pub(crate) enum Rest<'outputs> {
    /// Among the outputs of a session.
    Kept {
        outputs: &'outputs Outputs,
        session: &'outputs str,
    },
    /// Nowhere.
    Lost,
}

impl ToolOutput {
    /// Leaves what fits of the text, and keeps the whole.
    pub(crate) fn cut(&mut self, cap: OutputCap, rest: &Rest<'_>) {
        let whole = self.take_text();
        let mut shown = Shown::of(&whole, cap);
        let size = format!(
            "this output has {} bytes in {} line{}",
            Count(whole.len()),
            Count(shown.lines),
            if shown.lines == 1 { "" } else { "s" },
        );
        let offset = shown.offset;
        let handle = match rest {
            Rest::Kept { outputs, session } => outputs.put(session, whole),
            Rest::Lost => None,
        };
        let how = match handle {
            Some(handle) => {
                format!(r#"read_output {{"handle": "{handle}", "offset": {offset}}} goes on here"#)
            }
            None => "it is not kept, so call the tool for less at a time".to_owned(),
        };
        shown.head += &format!("[... the middle is left out: {size}; {how} ...]");
        if !shown.tail.is_empty() {
            shown.head += "\n";
            shown.head += &shown.tail;
        }
        self.put_text(shown.head);
    }
}

/// What a model gets of a text.
struct Shown {
    /// With a line break at its end.
    head: String,
    tail: String,
    /// Of the whole.
    lines: usize,
    /// The line, as they are read, with which the part between them begins.
    offset: usize,
}

impl Shown {
    fn of(whole: &str, cap: OutputCap) -> Self {
        let bytes = cap.bytes.saturating_sub(MARKER_BYTES) / 2;
        let rest = cap.lines.saturating_sub(1);
        let head = head(whole, bytes, rest.div_ceil(2));
        let tail = tail(whole, bytes, rest / 2);
        let is_whole_lines = head.is_empty() || head.ends_with('\n');
        let mut text = String::with_capacity(cap.bytes.min(whole.len()) + MARKER_BYTES);
        text += head;
        if !is_whole_lines {
            text.push('\n');
        }
        Self {
            head: text,
            tail: tail.to_owned(),
            lines: count_lines(whole),
            offset: lines(head).count() + usize::from(is_whole_lines),
        }
    }
}

/// So many bytes and lines from the beginning. Where whole lines would leave more than half of that
/// unused, a line is cut.
fn head(text: &str, bytes: usize, lines: usize) -> &str {
    if lines == 0 {
        return "";
    }
    let window = &text[..floor_boundary(text, bytes)];
    let mut ends = window.match_indices('\n').map(|(at, _)| at + 1);
    let (mut count, mut end) = (0, 0);
    for line_end in ends.by_ref().take(lines) {
        (count, end) = (count + 1, line_end);
    }
    if count < lines && end < window.len() / 2 {
        end = window.len();
    }
    &window[..end]
}

/// [`head`] from the end.
fn tail(text: &str, bytes: usize, lines: usize) -> &str {
    if lines == 0 {
        return "";
    }
    let mut start = floor_boundary(text, text.len().saturating_sub(bytes));
    if text.len() - start > bytes {
        start += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    let window = &text[start..];
    let body = window.strip_suffix('\n').unwrap_or(window);
    let mut begins = body.rmatch_indices('\n').map(|(at, _)| at + 1);
    let (mut count, mut begin) = (0, window.len());
    for line_begin in begins.by_ref().take(lines) {
        (count, begin) = (count + 1, line_begin);
    }
    if count < lines && (window.len() - begin < window.len() / 2 || is_line_begin(text, start)) {
        begin = 0;
    }
    &window[begin..]
}

fn is_line_begin(text: &str, at: usize) -> bool {
    at == 0 || text.as_bytes()[at - 1] == b'\n'
}

#[cfg(test)]
mod tests {
    use super::{OutputCap, Outputs, Rest, Shown, ToolOutput, head, tail};

    #[test]
    fn head_and_tail_are_whole_lines() {
        let text = "one\ntwo\nthree\nfour\n";
        assert_eq!(head(text, 10, 9), "one\ntwo\n");
        assert_eq!(head(text, 8, 9), "one\ntwo\n");
        assert_eq!(head(text, 99, 1), "one\n");
        assert_eq!(tail(text, 9, 9), "four\n");
        assert_eq!(tail(text, 11, 9), "three\nfour\n");
        assert_eq!(tail(text, 99, 1), "four\n");
        assert_eq!(tail("one\ntwo", 99, 1), "two");
        assert_eq!((head(text, 9, 0), tail(text, 9, 0)), ("", ""));
        assert_eq!((head(text, 0, 9), tail(text, 0, 9)), ("", ""));
    }

    #[test]
    fn a_line_that_is_longer_than_all_is_cut_between_characters() {
        let text = "ß".repeat(10);
        assert_eq!(head(&text, 7, 9), "ßßß");
        assert_eq!(tail(&text, 7, 9), "ßßß");
        // A short line before it would leave most unused.
        let text = format!("a\n{text}\nb\n");
        assert_eq!(head(&text, 9, 9), "a\nßßß");
        assert_eq!(tail(&text, 9, 9), "ßßß\nb\n");
    }

    #[test]
    fn what_is_not_kept_is_said_to_be_lost() {
        let outputs = Outputs::with_max_bytes(500);
        let (outputs, session) = (&outputs, "s");
        let told = |length: usize, rest: &Rest<'_>| {
            let mut output = ToolOutput::text("x".repeat(length));
            output.cut(OutputCap::new().bytes(100), rest);
            output.to_text().into_owned()
        };
        let lost = "[... the middle is left out: this output has 501 bytes in 1 line; \
                    it is not kept, so call the tool for less at a time ...]";
        assert_eq!(told(501, &Rest::Kept { outputs, session }), lost);
        assert_eq!(told(501, &Rest::Lost), lost);
        let kept = told(500, &Rest::Kept { outputs, session });
        assert!(kept.contains(r#"read_output {"handle": "output_1", "offset": 1}"#));
    }

    #[test]
    fn nothing_is_shown_twice() {
        let mut random = 7_u64;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..20_000 {
            let text: String = (0..next(300))
                .map(|_| ['\n', 'a', 'ß', '漢', '\n'][next(5) as usize])
                .collect();
            let cap = OutputCap::new()
                .bytes(next(600) as usize)
                .lines(next(60) as usize);
            if ToolOutput::text(text.clone()).fits(cap) {
                continue;
            }
            let shown = Shown::of(&text, cap);
            let head = shown.head.trim_end_matches('\n');
            let tail = shown.tail.as_str();
            assert!(
                text.starts_with(head) && text.ends_with(tail),
                "{text:?} {cap:?}"
            );
            assert!(head.len() + tail.len() < text.len(), "{text:?} {cap:?}");
            let lines = super::count_lines(&shown.head) + super::count_lines(tail);
            assert!(lines < cap.lines.max(1), "{text:?} {cap:?}");
            assert!(
                shown.head.len() + tail.len() <= cap.bytes,
                "{text:?} {cap:?}"
            );
        }
    }
}
