//! JSON text to a value without losing anything on the way.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The value of a text; `None` where a key is given twice, or a number has more digits than a
/// value can hold.
pub(super) fn strict(text: &str) -> Option<Value> {
    let Strict(value) = serde_json::from_str(text).ok()?;
    keeps_digits(text).then_some(value)
}

/// serde_json's own `Value` keeps the last of two values with one key.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number
            .map(Value::Number)
            .ok_or_else(|| E::custom("no number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, Strict(value))) = fields.next_entry::<String, _>()? {
            if map.insert(name, value).is_some() {
                return Err(A::Error::custom("a key is given twice"));
            }
        }
        Ok(map.into())
    }
}

/// Whether every integer of the text fits into 64 bits; others would become floats.
fn keeps_digits(text: &str) -> bool {
    let mut is_text = false;
    let mut is_escaped = false;
    // Outside of strings, everything but a number ends one.
    let outside = text.split(|letter: char| {
        let was_text = is_text;
        if letter == '"' && !is_escaped {
            is_text = !is_text;
        }
        is_escaped = was_text && letter == '\\' && !is_escaped;
        was_text || is_text || !(letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    });
    let digits = |word: &&str| {
        word.trim_start_matches('-')
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    };
    let mut integers = outside.filter(|word| !word.is_empty()).filter(digits);
    integers.all(|word| word.parse::<i64>().is_ok() || word.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::strict;
    use serde_json::json;

    #[test]
    fn what_loses_nothing_is_a_value() {
        let text =
            r#"{"a": [1, -2, 18446744073709551615, 1.5e3], "b": "99999999999999999999 \" 1"}"#;
        let value = json!({"a": [1, -2, u64::MAX, 1500.0], "b": "99999999999999999999 \" 1"});
        assert_eq!(strict(text), Some(value));
    }

    #[test]
    fn twins_and_long_numbers_are_none() {
        assert_eq!(strict(r#"{"a": 1, "a": 2}"#), None);
        assert_eq!(strict(r#"{"a": {"b": 1, "b": 1}}"#), None);
        assert_eq!(strict(r#"{"a": 18446744073709551616}"#), None);
        assert_eq!(strict(r#"{"a": 1e999}"#), None);
    }
}
