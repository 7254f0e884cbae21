//! Schemas that are none: a server may send anything.

use crate::faults::faults;
use crate::{shapes, spoken, values};
use chatluna_tool::provider::{Dialect, lower};
use fastrand::Rng;
use serde_json::{Value, json};

#[test]
fn a_broken_schema_is_lowered_to_one_that_is_taken() {
    for seed in 0..2_000 {
        let mut schema = shapes::schema(seed);
        let mut rng = Rng::with_seed(seed);
        let arguments = values::value(&schema, seed);
        break_one(&mut schema, &mut rng);
        for dialect in Dialect::ALL {
            let lowered = lower(&schema, *dialect);
            let found = faults(&lowered.schema, spoken(*dialect, lowered.strict));
            let is_narrow = lowered.strict || *dialect == Dialect::Gemini;
            assert!(
                !is_narrow || found.is_empty(),
                "{seed} {dialect}: {found:#?} {schema:#}"
            );
            let _ = lowered.restore(arguments.clone());
        }
    }
}

/// Something else in place of a part of a value.
fn break_one(value: &mut Value, rng: &mut Rng) {
    let parts: Vec<&mut Value> = match value {
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    match rng.choice(parts) {
        Some(part) if rng.u8(..4) > 0 => break_one(part, rng),
        _ => *value = junk(rng),
    }
}

fn junk(rng: &mut Rng) -> Value {
    let all = [
        json!(null),
        json!(-1),
        json!(1.5),
        json!("text"),
        json!("#"),
        json!([]),
        json!({}),
        json!(false),
        json!(["string", 5, null]),
        json!({"type": 5, "$ref": 5}),
    ];
    rng.choice(all).unwrap_or_default()
}
