//! The walker: one pass over the text, each value into the slot of its parameter.

use super::cursor::{Broken, Cursor};
use super::error::{ArgumentError, broken};
use super::{Arguments, Parameter};
use crate::nearest::nearest;
use std::any::Any;

/// What a generated `prepare` reads its arguments from.
pub struct Input<'call> {
    pub(crate) arguments: &'call Arguments,
    pub(crate) parameters: &'static [Parameter],
}

impl Input<'_> {
    /// Fills one slot a parameter, in table order. A slot is an `Option` of the parameter's type.
    ///
    /// # Errors
    /// Every parameter that is missing, unknown, given twice or of the wrong
    /// type, all at once; or the place where the text stops being JSON.
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
        while let Some(key) = cursor.key(first)? {
            first = false;
            let known = self.parameters.iter().position(|row| row.name == key);
            let Some(index) = known else {
                cursor.skip()?;
                error.unknown(&key, || {
                    nearest(&key, self.parameters.iter().map(|row| row.name))
                });
                continue;
            };
            if seen & (1 << index) != 0 {
                cursor.skip()?;
                error.twice(&key);
                continue;
            }
            seen |= 1 << index;
            let fill = self.parameters[index].fill;
            if let Err(fault) = fill(slots[index], Some(&mut cursor)) {
                cursor.skip()?;
                error.unfit_at(&key, &fault);
            }
        }
        cursor.end()?;
        if seen.count_ones() as usize != slots.len() {
            self.fill_absent(seen, slots, error);
        }
        Ok(())
    }

    fn fill_absent(&self, seen: u64, slots: &mut [&mut dyn Any], error: &mut ArgumentError) {
        for (index, (row, slot)) in self.parameters.iter().zip(slots).enumerate() {
            if seen & (1 << index) == 0 && (row.fill)(*slot, None).is_err() {
                error.missing(row.name);
            }
        }
    }
}

/// The value that [`Input::read`] put into a slot.
///
/// # Errors
/// Never after a `read` that succeeded.
pub fn filled<T>(slot: Option<T>) -> Result<T, ArgumentError> {
    slot.ok_or_else(ArgumentError::default)
}
