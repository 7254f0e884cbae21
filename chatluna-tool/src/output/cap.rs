//! How much of a result a model gets.

use super::{Content, Parts, ToolOutput};
use std::borrow::Cow;

/// How much of one result a model gets, all its text together: so many bytes or so many lines,
/// whichever comes first.
///
/// Of a longer result the model gets the head and the tail, on whole lines where they are not
/// longer than that, and between them the size of the whole and how to read it, with the built-in
/// tool `read_output`. Media do not count.
///
/// ```
/// use chatluna_tool::{OutputCap, Runtime};
///
/// let builder = Runtime::builder().output_cap(OutputCap::new().bytes(20_000).lines(500));
/// # let _ = builder;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputCap {
    /// Bytes of UTF-8. What stands in place of the middle counts, but is always there.
    pub bytes: usize,
    /// Lines.
    pub lines: usize,
}

impl OutputCap {
    /// No cap: for a tool whose results are bounded by itself.
    pub(crate) const NONE: Self = Self {
        bytes: usize::MAX,
        lines: usize::MAX,
    };

    /// 50 KiB or 2,000 lines.
    pub const fn new() -> Self {
        Self {
            bytes: 50 << 10,
            lines: 2_000,
        }
    }

    /// Sets how many bytes.
    #[must_use]
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets how many lines.
    #[must_use]
    pub const fn lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }
}

impl Default for OutputCap {
    fn default() -> Self {
        Self::new()
    }
}

impl ToolOutput {
    #[inline]
    pub(crate) fn fits(&self, cap: OutputCap) -> bool {
        match &self.content {
            // No text has more lines than bytes.
            Parts::One(Content::Text(text)) if text.len() <= cap.bytes.min(cap.lines) => true,
            _ => self.fits_counted(cap),
        }
    }

    fn fits_counted(&self, cap: OutputCap) -> bool {
        let texts = || self.content().iter().filter_map(Content::as_text);
        let breaks = texts().count().saturating_sub(1);
        texts().map(str::len).sum::<usize>() + breaks <= cap.bytes
            && texts().map(count_lines).sum::<usize>() <= cap.lines
    }

    /// Takes all text out, joined by line breaks. A lone text is moved.
    pub(super) fn take_text(&mut self) -> Cow<'static, str> {
        match &mut self.content {
            Parts::One(Content::Text(text)) => std::mem::take(text),
            Parts::One(_) => Cow::Borrowed(""),
            Parts::Many(parts) => {
                let taken = parts.extract_if(.., |part| part.as_text().is_some());
                let taken: Vec<Content> = taken.collect();
                let texts: Vec<&str> = taken.iter().filter_map(Content::as_text).collect();
                Cow::Owned(texts.join("\n"))
            }
        }
    }

    /// Puts a text in place of those that were taken out, before all media.
    pub(super) fn put_text(&mut self, text: String) {
        let text = Content::from(text);
        match &mut self.content {
            Parts::One(part) => *part = text,
            Parts::Many(parts) => parts.insert(0, text),
        }
    }
}

/// A line break at the end begins no line.
pub(crate) fn count_lines(text: &str) -> usize {
    let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
    breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))
}
