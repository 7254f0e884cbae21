//! A place in the text of a JSON object.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::de::StrRead;
use serde_json::{Deserializer, Error, Value};
use std::borrow::Cow;

/// The text is not one JSON object; the caller asks serde_json where it breaks.
#[derive(Debug)]
pub(super) struct Broken;

/// The text of an object with these keys and texts of values.
pub(super) fn object<'a>(fields: impl Iterator<Item = (Cow<'a, str>, &'a str)>) -> String {
    let fields = fields.map(|(key, value)| format!("{}:{value}", Value::from(key)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Reads an object key by key; values are decoded by serde_json in place.
//
// `#[inline]` on the small steps: left to luck, they are a twentieth of a bare call.
pub(super) struct Cursor<'text> {
    text: &'text str,
    at: usize,
}

impl<'text> Cursor<'text> {
    /// Enters the object.
    pub(super) fn open(text: &'text str) -> Result<Self, Broken> {
        let mut cursor = Self::start(text);
        cursor.take(b'{')?;
        Ok(cursor)
    }

    /// Every key of an object with the text of its value, in order.
    pub(super) fn fields(text: &'text str) -> Result<Vec<(Cow<'text, str>, &'text str)>, Broken> {
        let mut cursor = Self::open(text)?;
        let mut fields = Vec::new();
        while let Some(key) = cursor.key(fields.is_empty())? {
            let start = cursor.at();
            cursor.skip()?;
            fields.push((key, cursor.since(start).trim_ascii()));
        }
        cursor.end()?;
        Ok(fields)
    }

    /// At the first byte of a text.
    pub(super) fn start(text: &'text str) -> Self {
        Self { text, at: 0 }
    }

    /// The place in the text.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The text from a place behind the cursor up to it.
    pub(super) fn since(&self, start: usize) -> &'text str {
        &self.text[start..self.at]
    }

    /// The next key with its colon, or `None` past the closing brace.
    pub(super) fn key(&mut self, first: bool) -> Result<Option<Cow<'text, str>>, Broken> {
        if !self.enter_key(first)? {
            return Ok(None);
        }
        let key = self.rest_of_key()?;
        self.take(b':')?;
        Ok(Some(key))
    }

    /// Steps past the quote before the next key, or past the closing brace.
    #[inline]
    pub(super) fn enter_key(&mut self, first: bool) -> Result<bool, Broken> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !first => {
                self.at += 1;
                self.take(b'"')?;
            }
            Some(b'"') if first => self.at += 1,
            _ => return Err(Broken),
        }
        Ok(true)
    }

    /// Steps past the rest of a key if it is this, which no JSON has to escape.
    #[inline]
    pub(super) fn passes(&mut self, key: &str) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let is_next = rest.get(key.len()) == Some(&b'"') && rest.starts_with(key.as_bytes());
        if is_next {
            self.at += key.len() + 1;
        }
        is_next
    }

    /// Nothing but white space may follow.
    pub(super) fn end(&mut self) -> Result<(), Broken> {
        self.peek().map_or(Ok(()), |_| Err(Broken))
    }

    /// Decodes the value here and steps past it; stays where it is on an error.
    pub(super) fn value<T: DeserializeOwned>(&mut self) -> Result<T, Error> {
        self.decode(|value| T::deserialize(value))
    }

    /// [`value`](Self::value) with a function.
    #[inline]
    pub(super) fn decode<T>(
        &mut self,
        decode: impl FnOnce(&mut Deserializer<StrRead<'text>>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut values = Deserializer::from_str(&self.text[self.at..]);
        let value = decode(&mut values)?;
        self.at += values.into_iter::<IgnoredAny>().byte_offset();
        Ok(value)
    }

    /// Steps past the value here, whatever it is.
    pub(super) fn skip(&mut self) -> Result<(), Broken> {
        self.value().map(|IgnoredAny| ()).map_err(|_| Broken)
    }

    /// The key after its quote.
    #[inline]
    pub(super) fn rest_of_key(&mut self) -> Result<Cow<'text, str>, Broken> {
        let start = self.at;
        let stop = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        let rest = &self.text.as_bytes()[start..];
        let length = rest.iter().position(stop).ok_or(Broken)?;
        if rest[length] == b'"' {
            self.at += length + 1;
            return Ok(Cow::Borrowed(&self.text[start..start + length]));
        }
        self.at = start - 1;
        self.value().map(Cow::Owned).map_err(|_| Broken)
    }

    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> Result<(), Broken> {
        if self.text.as_bytes().get(self.at) != Some(&byte) && self.peek() != Some(byte) {
            return Err(Broken);
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            // The first look spares most bytes the second.
            if *byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }
}
