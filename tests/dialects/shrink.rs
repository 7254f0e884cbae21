//! A smaller schema that fails as well.

use serde_json::Value;

/// Takes keys and items away for as long as the rest still fails.
pub fn shrunk(mut schema: Value, fails: impl Fn(&Value) -> bool) -> Value {
    while let Some(smaller) = removals(&schema).into_iter().find(|each| fails(each)) {
        schema = smaller;
    }
    schema
}

/// The value with one key or item less, each in turn; those that take most away first.
fn removals(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(fields) => {
            for name in fields.keys() {
                let mut less = fields.clone();
                less.shift_remove(name);
                found.push(less.into());
            }
            for (name, below) in fields {
                found.extend(removals(below).into_iter().map(|below| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), below);
                    fields.into()
                }));
            }
        }
        Value::Array(items) => {
            for index in 0..items.len() {
                let mut less = items.clone();
                less.remove(index);
                found.push(less.into());
                found.extend(removals(&items[index]).into_iter().map(|below| {
                    let mut items = items.clone();
                    items[index] = below;
                    items.into()
                }));
            }
        }
        _ => {}
    }
    found
}
