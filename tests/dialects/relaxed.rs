//! A schema without the keywords that were lost on the way to a provider.

use chatluna_tool::provider::{Loss, LossAction};
use serde_json::{Map, Value, json};

/// What the model was held to, as far as the losses say.
pub fn relaxed(schema: &Value, losses: &[Loss]) -> Value {
    let mut relaxed = schema.clone();
    let is_free = |loss: &&Loss| {
        matches!(
            loss.action,
            LossAction::Dropped | LossAction::Described | LossAction::Widened | LossAction::Cut
        )
    };
    let mut losses: Vec<&Loss> = losses.iter().filter(is_free).collect();
    // What is inside goes first: a keyword that is gone takes its schemas with it.
    losses.sort_by_key(|loss| std::cmp::Reverse(loss.pointer.len()));
    for loss in losses {
        if let Some(place) = relaxed.pointer_mut(&loss.pointer) {
            relax(place, &loss.keyword);
        }
    }
    relaxed
}

fn relax(place: &mut Value, keyword: &str) {
    let Value::Object(schema) = place else {
        *place = true.into();
        return;
    };
    let Some(lost) = schema.shift_remove(keyword) else {
        return;
    };
    match keyword {
        // One of several, where it was exactly one.
        "oneOf" if !schema.contains_key("properties") => {
            schema.insert("anyOf".to_owned(), lost);
        }
        "prefixItems" => any_field(schema, lost),
        _ => {}
    }
}

/// The items may be any of the fields of a tuple.
fn any_field(schema: &mut Map<String, Value>, fields: Value) {
    let mut choices = fields;
    if let (Some(choices), Some(rest)) = (choices.as_array_mut(), schema.shift_remove("items"))
        && rest.is_object()
    {
        choices.push(rest);
    }
    schema.insert("items".to_owned(), json!({"anyOf": choices}));
}
