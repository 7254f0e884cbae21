//! One row of a tool's parameter table.

use super::Details;
use super::cursor::Cursor;
use super::fill::{Decode, fill, fill_or, fill_with, fill_with_or, optional};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use std::any::Any;

/// What a model can pass to a tool: any `Deserialize + JsonSchema` type that owns its data and
/// that threads can pass on.
///
/// Implemented for every such type; there is nothing to write by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "needs `Deserialize`, `JsonSchema` and `Send`",
    note = "put `#[chatluna_tool::tool_type]` on your own type, or derive both traits",
    note = "a value that your program provides is taken by reference: `&{Self}`"
)]
pub trait Argument: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Argument for T {}

/// What a model can pass to a tool under a schema that is given: any `Deserialize` type that owns
/// its data and that threads can pass on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "needs `Deserialize` and `Send`",
    note = "put `#[chatluna_tool::tool_type]` on your own type, or read it with `#[serde(with = \"..\")]`"
)]
pub trait Readable: DeserializeOwned + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + Send + 'static> Readable for T {}

/// One parameter of a tool, as data: what the schema says of it and how its slot is filled.
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) schema: MakeSchema,
    pub(crate) optional: fn() -> bool,
    pub(super) fill: Fill,
    /// Whether a key of this name has nothing to escape in JSON.
    pub(super) is_plain: bool,
    pub(crate) details: Option<&'static Details>,
}

type MakeSchema = fn(&mut SchemaGenerator) -> Schema;

/// Decodes the value at the cursor into a slot, an `Option` of the parameter's type; without a
/// cursor, what the parameter is when its key is not there.
pub(super) type Fill = fn(&mut dyn Any, Option<&mut Cursor<'_>>) -> Result<(), serde_json::Error>;

/// The row of a parameter of type `T`.
pub const fn parameter<T: Argument>(name: &'static str, description: &'static str) -> Parameter {
    row(name, description, T::json_schema, optional::<T>, fill::<T>)
}

/// The row of a parameter of type `T` that has a default.
pub const fn parameter_or<T: Argument>(name: &'static str, description: &'static str) -> Parameter {
    row(name, description, T::json_schema, || true, fill_or::<T>)
}

/// The row of a parameter of type `T` whose schema is another's.
pub const fn parameter_as<T: Readable>(
    name: &'static str,
    description: &'static str,
    schema: MakeSchema,
) -> Parameter {
    row(name, description, schema, optional::<T>, fill::<T>)
}

/// [`parameter_as`] with a default.
pub const fn parameter_as_or<T: Readable>(
    name: &'static str,
    description: &'static str,
    schema: MakeSchema,
) -> Parameter {
    row(name, description, schema, || true, fill_or::<T>)
}

/// The row of a parameter that a function decodes.
pub const fn parameter_with<W: Decode>(
    name: &'static str,
    description: &'static str,
    schema: MakeSchema,
) -> Parameter {
    row(name, description, schema, || false, fill_with::<W>)
}

/// The row of a parameter that a function decodes and that has a default.
pub const fn parameter_with_or<W: Decode>(
    name: &'static str,
    description: &'static str,
    schema: MakeSchema,
) -> Parameter {
    row(name, description, schema, || true, fill_with_or::<W>)
}

const fn row(
    name: &'static str,
    description: &'static str,
    schema: MakeSchema,
    optional: fn() -> bool,
    fill: Fill,
) -> Parameter {
    Parameter {
        name,
        description,
        schema,
        optional,
        fill,
        is_plain: is_plain(name.as_bytes()),
        details: None,
    }
}

const fn is_plain(name: &[u8]) -> bool {
    match name {
        [] => true,
        [0..=0x1f | b'"' | b'\\', ..] => false,
        [_, rest @ ..] => is_plain(rest),
    }
}

impl Parameter {
    /// Sets what most parameters do without.
    #[must_use]
    pub const fn details(mut self, details: &'static Details) -> Self {
        self.details = Some(details);
        self
    }

    /// Whether a call may give the parameter under this key.
    pub(crate) fn takes(&self, key: &str) -> bool {
        !self.is_flattened() && (self.name == key || self.has_alias(key))
    }

    pub(super) fn has_alias(&self, key: &str) -> bool {
        let details = self.details;
        details.is_some_and(|details| details.aliases.contains(&key))
    }

    /// Whether the fields of the parameter's struct are arguments, and not the parameter.
    #[inline]
    pub(crate) fn is_flattened(&self) -> bool {
        self.details.is_some_and(|details| details.flattened)
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.details.is_some_and(Details::is_secret)
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn a_name_that_json_escapes_is_not_compared_byte_by_byte() {
        assert!(is_plain(b"city") && is_plain("größe".as_bytes()));
        assert!(!is_plain(b"a\\u0062") && !is_plain(b"a\"") && !is_plain(b"a\n"));
    }
}
