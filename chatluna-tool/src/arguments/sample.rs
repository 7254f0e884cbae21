//! A value for one argument, tried without a call.

use super::cursor::Cursor;
use super::input::unfit;
use super::{ArgumentError, Input};
use serde_json::Value;

impl Input<'_> {
    /// Whether the argument of a row may have this value, whatever the others are.
    pub(crate) fn accepts(&self, row: usize, value: &Value) -> Result<(), ArgumentError> {
        let parameter = &self.parameters[row];
        let text = value.to_string();
        // What is decoded has no slot to go to.
        match (parameter.fill)(&mut (), Some(&mut Cursor::start(&text))) {
            Ok(()) => self.keeps(row, value),
            Err(fault) => {
                let mut error = ArgumentError::default();
                unfit(parameter, parameter.name, &fault, &mut error);
                Err(error)
            }
        }
    }

    /// Whether the value is within the constraints of a row.
    pub(crate) fn keeps(&self, row: usize, value: &Value) -> Result<(), ArgumentError> {
        let mut error = ArgumentError::default();
        let name = self.parameters[row].name;
        self.enforce(row, name, &value.to_string(), &mut error);
        if error.is_empty() { Ok(()) } else { Err(error) }
    }
}
