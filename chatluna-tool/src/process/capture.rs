//! What a program writes, in bounded memory.

use std::borrow::Cow;
use std::collections::VecDeque;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The beginning and the end of a stream; all of it where it was short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: Vec<u8>,
    left_out: u64,
}

impl Captured {
    /// The text; where bytes are left out, a line says how many. What is no UTF-8 is replaced.
    pub fn text(&self) -> String {
        let head = String::from_utf8_lossy(&self.head);
        let tail = String::from_utf8_lossy(&self.tail);
        match self.left_out {
            // A character may lie across the middle.
            0 => String::from_utf8_lossy(&[&self.head[..], &self.tail].concat()).into_owned(),
            count => format!("{head}\n… {count} bytes are left out …\n{tail}"),
        }
    }

    /// The bytes, if all are there.
    pub fn bytes(&self) -> Option<Cow<'_, [u8]>> {
        match (self.left_out, &self.tail[..]) {
            (0, []) => Some(Cow::Borrowed(&self.head)),
            (0, tail) => Some(Cow::Owned([&self.head[..], tail].concat())),
            _ => None,
        }
    }

    /// How many bytes of the middle are not there.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// Reads a stream to its end, and keeps what it may.
pub(super) struct Capture {
    /// How many bytes are kept of each end.
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Capture {
    pub(super) fn new(cap: usize) -> Self {
        Self {
            half: cap.div_ceil(2),
            head: Vec::new(),
            tail: VecDeque::new(),
            left_out: 0,
        }
    }

    /// A stream that breaks has ended.
    pub(super) async fn fill(&mut self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut buffer = [0; 8 << 10];
        while let Ok(count @ 1..) = stream.read(&mut buffer).await {
            self.keep(&buffer[..count]);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = (self.half - self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..surplus);
        self.left_out += surplus as u64;
    }

    pub(super) fn finish(self) -> Captured {
        Captured {
            head: self.head,
            tail: self.tail.into(),
            left_out: self.left_out,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Capture, Captured};

    fn captured(cap: usize, pieces: &[&str]) -> Captured {
        let mut capture = Capture::new(cap);
        pieces
            .iter()
            .for_each(|piece| capture.keep(piece.as_bytes()));
        capture.finish()
    }

    #[test]
    fn what_is_short_is_kept_whole() {
        let whole = captured(8, &["ab", "cdé", "f"]);
        assert_eq!((whole.text(), whole.left_out()), ("abcdéf".to_owned(), 0));
        assert_eq!(whole.bytes().as_deref(), Some("abcdéf".as_bytes()));
    }

    #[test]
    fn of_what_is_long_both_ends_are_kept() {
        let long = captured(4, &["abc", "defgh", "i"]);
        assert_eq!(long.text(), "ab\n… 5 bytes are left out …\nhi");
        assert_eq!((long.bytes(), long.left_out()), (None, 5));
    }

    #[test]
    fn nothing_may_be_kept() {
        let none = captured(0, &["abc"]);
        assert_eq!(none.left_out(), 3);
    }
}
