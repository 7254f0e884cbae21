//! Arrays and tuples.

use super::Narrow;
use super::draft::Draft;
use crate::pointer::step;
use crate::provider::lower::Keywords;
use crate::provider::lower::loss::LossAction;
use serde_json::{Value, json};

impl Narrow<'_> {
    pub(super) fn array(&mut self, draft: &mut Draft, schema: &Keywords, at: &str) {
        let place = step(at, "items");
        let items = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(fields)), rest) => self.tuple(fields, "prefixItems", rest, at),
            (_, Some(Value::Array(fields))) => {
                self.tuple(fields, "items", schema.get("additionalItems"), at)
            }
            (_, Some(items)) => self.schema(items, &place),
            (_, None) => self.anything(&Keywords::new(), &place),
        };
        draft.set("items", items);
    }

    /// The place of a field is lost: every item may be any of the fields.
    fn tuple(&mut self, fields: &[Value], keyword: &str, rest: Option<&Value>, at: &str) -> Value {
        self.lose(at, keyword, LossAction::Widened);
        let place = step(at, keyword);
        let mut choices: Vec<Value> = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let lowered = self.schema(field, &format!("{place}/{index}"));
            if !choices.contains(&lowered) {
                choices.push(lowered);
            }
        }
        match rest {
            // How many there are is said by `maxItems`, or not at all.
            Some(Value::Bool(false)) if keyword == "prefixItems" => {
                self.lose(at, "items", LossAction::Widened);
            }
            Some(rest @ Value::Object(_)) if keyword == "prefixItems" => {
                choices.push(self.schema(rest, &step(at, "items")));
            }
            _ => {}
        }
        if choices.len() == 1 {
            choices.remove(0)
        } else {
            json!({"anyOf": choices})
        }
    }
}
