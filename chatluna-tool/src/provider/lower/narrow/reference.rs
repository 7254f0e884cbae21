//! References.

use super::Narrow;
use super::draft::Draft;
use crate::provider::lower::loss::LossAction;
use crate::provider::lower::references::Entered;
use crate::provider::lower::{Dialect, Keywords, free};
use serde_json::{Value, json};

impl Narrow<'_> {
    pub(super) fn reference(&mut self, schema: &Keywords, reference: &str, at: &str) -> Value {
        let mut draft = Draft::of(schema);
        self.beside(&mut draft, schema, at);
        if self.keeps_references() && self.inlining.stays(reference) {
            draft.set("$ref", reference);
            if draft.is_described() || draft.keywords().len() > 1 {
                free::point_within(draft.keywords());
            }
            return draft.finish();
        }
        match self.inlining.enter(reference) {
            Entered::Target(target, pointer) => {
                self.lose(at, "$ref", LossAction::Inlined);
                draft.take_over(self.schema(target, &pointer));
                self.inlining.leave();
            }
            Entered::Endless => draft.take_over(self.cut(at)),
            Entered::Dangling => {
                self.lose(at, "$ref", LossAction::Dropped);
                draft.take_over(self.anything(&Keywords::new(), at));
            }
        }
        draft.finish()
    }

    /// Where a schema that goes on without end stops: at any object.
    fn cut(&mut self, at: &str) -> Value {
        let action = match self.dialect {
            Dialect::Gemini => LossAction::Cut,
            _ => LossAction::NotStrict,
        };
        self.lose(at, "$ref", action);
        json!({"type": "object", "properties": {}})
    }
}
