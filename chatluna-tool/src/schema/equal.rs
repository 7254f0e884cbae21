//! Equality of JSON values, as JSON schema has it: there is one kind of number.

use crate::arguments::Bound;
use serde_json::Value;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Whether two values are one: `1` is `1.0`, wherever it stands.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            Bound::of_json(left) == Bound::of_json(right)
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(one, other)| equal(one, other))
        }
        (Value::Object(left), Value::Object(right)) => {
            let is_in_both = |(key, one)| {
                right
                    .get(key)
                    .is_some_and(|other: &Value| equal(one, other))
            };
            left.len() == right.len() && left.iter().all(is_in_both)
        }
        _ => left == right,
    }
}

/// Whether an item is there twice. Only items with one hash are compared.
pub(super) fn has_twins(items: &[Value]) -> bool {
    let mut seen: HashMap<u64, Vec<&Value>> = HashMap::new();
    items.iter().any(|item| {
        let alike = seen.entry(hash(item)).or_default();
        let is_twin = alike.iter().any(|other| equal(other, item));
        alike.push(item);
        is_twin
    })
}

/// The same for equal values.
fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(&mut hasher),
        // `-0.0` is 0.
        Value::Number(number) => {
            let float = number.as_f64().map(|float| (float + 0.0).to_bits());
            float.hash(&mut hasher);
        }
        Value::String(text) => text.hash(&mut hasher),
        Value::Array(items) => items.iter().for_each(|item| hash(item).hash(&mut hasher)),
        // In no order.
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| {
                let mut hasher = DefaultHasher::new();
                (key, hash(value)).hash(&mut hasher);
                hasher.finish()
            });
            fields.fold(0, u64::wrapping_add).hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{equal, has_twins};
    use serde_json::json;

    #[test]
    fn numbers_are_equal_by_value() {
        let precise = 9_007_199_254_740_993_u64;
        for (left, right, is_equal) in [
            (json!(1), json!(1.0), true),
            (json!(0), json!(-0.0), true),
            (json!([{"a": 1}]), json!([{"a": 1.0}]), true),
            (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1}), true),
            (json!(precise), json!(precise - 1), false),
            (json!(precise), json!((precise - 1) as f64), false),
            (json!({"a": null}), json!({"b": null}), false),
            (json!("1"), json!(1), false),
        ] {
            assert_eq!(equal(&left, &right), is_equal, "{left} {right}");
            let items = [json!("x"), left, right];
            assert_eq!(has_twins(&items), is_equal, "{items:?}");
        }
    }
}
