//! The flattened parameter: its struct gets the keys that no other row takes.

use super::cursor::{Broken, Cursor, object};
use super::{ArgumentError, Input, Parameter};
use crate::nearest::nearest;
use serde_json::{Map, Value};
use std::any::Any;
use std::collections::HashSet;

impl Input<'_> {
    /// Whether the key is one of the flattened struct, or may be.
    pub(super) fn is_of_struct(&self, key: &str) -> bool {
        let takes_any = || self.definition.parameters()["additionalProperties"] != false;
        self.flattened_keys()
            .is_some_and(|keys| keys.contains_key(key) || takes_any())
    }

    /// The argument whose name is most like the key.
    pub(super) fn nearest(&self, key: &str) -> Option<&str> {
        match self.flattened_keys() {
            Some(keys) => nearest(key, keys.keys().map(String::as_str)),
            None => nearest(key, self.parameters.iter().map(|row| row.name)),
        }
    }

    /// The properties of a tool with a flattened parameter; the rows alone do not tell them.
    fn flattened_keys(&self) -> Option<&Map<String, Value>> {
        let mut rows = self.parameters.iter();
        let has_struct = rows.any(Parameter::is_flattened);
        has_struct.then(|| self.definition.parameters()["properties"].as_object())?
    }

    /// Decodes the struct from what the walker has passed over. Without any of its keys, one that
    /// is optional is not there.
    pub(super) fn fill_flattened(
        &self,
        row: &Parameter,
        slot: &mut dyn Any,
        text: &str,
        error: &mut ArgumentError,
    ) -> Result<(), Broken> {
        let rest = self.rest(text, error)?;
        let is_absent = rest == "{}" && (row.optional)();
        let mut cursor = Cursor::start(&rest);
        if let Err(fault) = (row.fill)(slot, (!is_absent).then_some(&mut cursor)) {
            error.unfit_whole(&fault);
        }
        Ok(())
    }

    /// The object without the keys of other rows and those that nobody knows.
    fn rest(&self, text: &str, error: &mut ArgumentError) -> Result<String, Broken> {
        let mut seen = HashSet::new();
        let mut fields = Cursor::fields(text)?;
        fields.retain(|(key, _)| {
            let is_own = self.find(key).is_none() && self.is_of_struct(key);
            let is_new = !is_own || seen.insert(key.clone());
            if !is_new {
                error.twice(key);
            }
            is_own && is_new
        });
        Ok(object(fields.into_iter()))
    }
}
