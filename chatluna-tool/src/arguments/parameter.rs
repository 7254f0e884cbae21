//! One row of a tool's parameter table.

use super::cursor::Cursor;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::Error as Refused;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::any::Any;

/// What a model can pass to a tool: any `Deserialize + JsonSchema` type that owns its data.
///
/// Implemented for every such type; there is nothing to write by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "needs `Deserialize` and `JsonSchema`",
    note = "put `#[chatluna_tool::tool_type]` on your own type, or derive both traits",
    note = "a value that your program provides is taken by reference: `&{Self}`"
)]
pub trait Argument: DeserializeOwned + JsonSchema + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + 'static> Argument for T {}

/// One parameter of a tool, as data: what the schema says of it and how its slot is filled.
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) optional: fn() -> bool,
    pub(super) fill: fn(&mut dyn Any, Option<&mut Cursor<'_>>) -> Result<(), serde_json::Error>,
}

/// The row of a parameter of type `T`.
pub const fn parameter<T: Argument>(name: &'static str, description: &'static str) -> Parameter {
    Parameter {
        name,
        description,
        schema: T::json_schema,
        optional: optional::<T>,
        fill: fill::<T>,
    }
}

/// Decodes the value at the cursor into `slot`, an `Option<T>`; without a
/// cursor, what `T` decodes from nothing.
fn fill<T: Argument>(
    slot: &mut dyn Any,
    cursor: Option<&mut Cursor<'_>>,
) -> Result<(), serde_json::Error> {
    let value = match cursor {
        Some(cursor) => cursor.value()?,
        None => T::deserialize(Absent).map_err(serde::de::Error::custom)?,
    };
    // Generated code makes the slot and the row from one type.
    if let Some(slot) = slot.downcast_mut::<Option<T>>() {
        *slot = Some(value);
    }
    Ok(())
}

fn optional<T: Argument>() -> bool {
    T::deserialize(Absent).is_ok()
}

/// The value of a key that is not there: only an `Option` can be made of it.
///
/// This is the rule that serde's derived structs follow for a missing field.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(serde::de::Error::custom("is required"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
