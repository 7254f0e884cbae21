//! How the slot of a parameter is filled, once a type and not once a tool.

use super::cursor::Cursor;
use serde::de::value::Error as Refused;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Error;
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

/// The function of a `#[serde(with = ..)]`, as a type.
pub trait Decode {
    /// What it makes.
    type Value: Send + 'static;

    /// Calls it.
    ///
    /// # Errors
    /// What it says of the value.
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error>;
}

/// A value that is not there is what `T` decodes from nothing.
pub(super) fn fill<T: DeserializeOwned + 'static>(
    slot: &mut dyn Any,
    cursor: Option<&mut Cursor<'_>>,
) -> Result<(), Error> {
    let value = match cursor {
        Some(cursor) => Some(cursor.value()?),
        None => absent::<T>(),
    };
    put(
        slot,
        Some(value.ok_or_else(|| Error::custom("is required"))?),
    );
    Ok(())
}

/// A value that is not there, or `null`, leaves the slot to the default.
pub(super) fn fill_or<T: DeserializeOwned + 'static>(
    slot: &mut dyn Any,
    cursor: Option<&mut Cursor<'_>>,
) -> Result<(), Error> {
    if let Some(cursor) = cursor {
        put::<T>(slot, cursor.value()?);
    }
    Ok(())
}

/// As in a derived struct, a field with a function is required, whatever its type.
pub(super) fn fill_with<W: Decode>(
    slot: &mut dyn Any,
    cursor: Option<&mut Cursor<'_>>,
) -> Result<(), Error> {
    let cursor = cursor.ok_or_else(|| Error::custom("is required"))?;
    put(slot, Some(cursor.decode(|value| W::decode(value))?));
    Ok(())
}

/// [`fill_or`] with a function.
pub(super) fn fill_with_or<W: Decode>(
    slot: &mut dyn Any,
    cursor: Option<&mut Cursor<'_>>,
) -> Result<(), Error> {
    if let Some(cursor) = cursor {
        let given = Given::<W>(PhantomData);
        put::<W::Value>(
            slot,
            cursor.decode(|value| value.deserialize_option(given))?,
        );
    }
    Ok(())
}

/// Generated code makes the slot and the row from one type.
fn put<T: 'static>(slot: &mut dyn Any, value: Option<T>) {
    if let Some(slot) = slot.downcast_mut::<Option<T>>() {
        *slot = value;
    }
}

pub(super) fn optional<T: DeserializeOwned>() -> bool {
    absent::<T>().is_some()
}

fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

/// The value of a key that is not there: only an `Option` can be made of it.
///
/// This is the rule that serde's derived structs follow for a missing field.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
        Err(Refused::custom("is required"))
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

/// Anything but `null` goes to the function.
struct Given<W>(PhantomData<W>);

impl<'de, W: Decode> Visitor<'de> for Given<W> {
    type Value = Option<W::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or `null`")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<Self::Value, D::Error> {
        W::decode(value).map(Some)
    }
}
