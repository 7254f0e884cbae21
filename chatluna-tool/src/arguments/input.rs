//! The walker: one pass over the text, each value into the slot of its parameter.

use super::constraint::Patterns;
use super::cursor::{Broken, Cursor};
use super::error::{ArgumentError, broken};
use super::{Arguments, Parameter};
use crate::definition::ToolDefinition;
use serde_json::Error;
use std::any::Any;
use std::borrow::Cow;

/// What a generated `prepare` reads its arguments from.
pub struct Input<'call> {
    pub(crate) arguments: &'call Arguments,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) patterns: &'call Patterns,
    /// Its schema knows the keys of a flattened struct.
    pub(crate) definition: &'call ToolDefinition,
}

impl Input<'_> {
    /// Fills one slot a parameter, in table order. A slot is an `Option` of the parameter's type.
    ///
    /// # Errors
    /// Every parameter that is missing, unknown, given twice, of the wrong type
    /// or against a constraint, all at once; or the place where the text stops being JSON.
    pub fn read(&self, slots: &mut [&mut dyn Any]) -> Result<(), ArgumentError> {
        let text = self.arguments.object()?;
        let mut error = ArgumentError::default();
        match self.walk(text, slots, &mut error) {
            Err(Broken) => Err(broken(text)),
            Ok(()) if error.is_empty() => Ok(()),
            Ok(()) => Err(error),
        }
    }

    fn walk(
        &self,
        text: &str,
        slots: &mut [&mut dyn Any],
        error: &mut ArgumentError,
    ) -> Result<(), Broken> {
        // One bit a parameter; the macro allows 64 at most.
        let mut seen = 0_u64;
        let mut cursor = Cursor::open(text)?;
        let mut first = true;
        let mut next = 0;
        while cursor.enter_key(first)? {
            first = false;
            let (key, index) = self.key(next, &mut cursor)?;
            cursor.take(b':')?;
            let Some(index) = index else {
                self.pass_over(&key, &mut cursor, error)?;
                continue;
            };
            next = index + 1;
            if seen & (1 << index) != 0 {
                cursor.skip()?;
                error.twice(&key);
                continue;
            }
            seen |= 1 << index;
            self.fill(index, slots[index], &key, &mut cursor, error)?;
        }
        cursor.end()?;
        if seen != all(slots.len()) {
            self.fill_absent(text, seen, slots, error)?;
        }
        Ok(())
    }

    /// A key, and its row if it has one. Models mostly write the keys in the order of the table.
    #[inline]
    fn key<'text>(
        &self,
        next: usize,
        cursor: &mut Cursor<'text>,
    ) -> Result<(Cow<'text, str>, Option<usize>), Broken> {
        let row = self.parameters.get(next);
        if let Some(row) = row.filter(|row| row.is_plain && !row.is_flattened())
            && cursor.passes(row.name)
        {
            return Ok((Cow::Borrowed(row.name), Some(next)));
        }
        let key = cursor.rest_of_key()?;
        let index = self.find(&key);
        Ok((key, index))
    }

    /// A key of no row is of the flattened struct, which comes later, or of nothing.
    #[cold]
    fn pass_over(
        &self,
        key: &str,
        cursor: &mut Cursor<'_>,
        error: &mut ArgumentError,
    ) -> Result<(), Broken> {
        cursor.skip()?;
        if !self.is_of_struct(key) {
            error.unknown(key, || self.nearest(key));
        }
        Ok(())
    }

    #[inline]
    pub(super) fn find(&self, key: &str) -> Option<usize> {
        let is_named = |row: &Parameter| row.name == key && !row.is_flattened();
        let named = self.parameters.iter().position(is_named);
        named.or_else(|| self.find_alias(key))
    }

    #[cold]
    fn find_alias(&self, key: &str) -> Option<usize> {
        self.parameters.iter().position(|row| row.has_alias(key))
    }

    #[inline]
    fn fill(
        &self,
        index: usize,
        slot: &mut dyn Any,
        key: &str,
        cursor: &mut Cursor<'_>,
        error: &mut ArgumentError,
    ) -> Result<(), Broken> {
        let row = &self.parameters[index];
        let start = cursor.at();
        if let Err(fault) = (row.fill)(slot, Some(cursor)) {
            cursor.skip()?;
            unfit(row, key, &fault, error);
        } else if row.details.is_some() {
            self.enforce(index, key, cursor.since(start), error);
        }
        Ok(())
    }

    /// Checks the value of a row that may have constraints; others never get here.
    #[cold]
    pub(super) fn enforce(&self, index: usize, key: &str, text: &str, error: &mut ArgumentError) {
        let row = &self.parameters[index];
        let details = row.details.filter(|details| details.is_constrained());
        let Some(details) = details else { return };
        match serde_json::from_str(text) {
            Ok(value) => details
                .broken_by(&value, self.patterns.get(index))
                .into_iter()
                .for_each(|words| error.broken_by(key, words)),
            Err(fault) => unfit(row, key, &fault, error),
        }
    }

    fn fill_absent(
        &self,
        text: &str,
        seen: u64,
        slots: &mut [&mut dyn Any],
        error: &mut ArgumentError,
    ) -> Result<(), Broken> {
        for (index, (row, slot)) in self.parameters.iter().zip(slots).enumerate() {
            if seen & (1 << index) != 0 {
                continue;
            }
            if row.is_flattened() {
                self.fill_flattened(row, *slot, text, error)?;
            } else if (row.fill)(*slot, None).is_err() {
                error.missing(row.name);
            }
        }
        Ok(())
    }
}

/// One bit for each of so many parameters.
#[inline]
fn all(parameters: usize) -> u64 {
    // Counting the bits that are set costs ten times as much.
    u64::MAX.unbounded_shr(64 - parameters as u32)
}

pub(super) fn unfit(row: &Parameter, key: &str, fault: &Error, error: &mut ArgumentError) {
    if row.is_secret() {
        error.unfit_secret(key);
    } else {
        error.unfit_at(key, fault);
    }
}

/// The value that [`Input::read`] put into a slot.
///
/// # Errors
/// Never after a `read` that succeeded.
pub fn filled<T>(slot: Option<T>) -> Result<T, ArgumentError> {
    slot.ok_or_else(ArgumentError::default)
}

/// [`filled`] for a parameter with a default, which runs anew each time.
pub fn filled_or<T>(slot: Option<T>, default: impl FnOnce() -> T) -> T {
    slot.unwrap_or_else(default)
}
