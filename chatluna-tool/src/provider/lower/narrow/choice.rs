//! Choices between schemas.

use super::draft::Draft;
use super::{Narrow, STRUCTURE, nullable};
use crate::pointer::step;
use crate::provider::lower::kinds::kinds;
use crate::provider::lower::loss::LossAction;
use crate::provider::lower::rules::is_noise;
use crate::provider::lower::{Dialect, Keywords};
use serde_json::Value;

/// The choice that a schema is. Of several schemas that hold at once, the first is advertised.
pub(super) fn of(schema: &Keywords) -> Option<(&'static str, &[Value])> {
    let branches = |keyword| schema.get(keyword).and_then(Value::as_array);
    let choice = ["anyOf", "oneOf"]
        .into_iter()
        .find_map(|keyword| Some((keyword, &branches(keyword)?[..])));
    let all = branches("allOf").and_then(|all| all.get(..1));
    choice
        .or_else(|| Some(("allOf", all?)))
        .filter(|(_, branches)| !branches.is_empty())
}

impl Narrow<'_> {
    pub(super) fn choice(
        &mut self,
        schema: &Keywords,
        keyword: &'static str,
        branches: &[Value],
        at: &str,
    ) -> Value {
        self.admit_losses(schema, keyword, at);
        let place = step(at, keyword);
        // Gemini has a mark for what may be null, unless it is nothing else.
        let marks = self.dialect == Dialect::Gemini && !branches.iter().all(is_null);
        let is_left_out = |branch: &&Value| **branch == false || marks && is_null(branch);
        let mut chosen = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            if branches.len() == 1 || !is_left_out(&branch) {
                let branch = typed_by(schema, branch);
                chosen.push(self.schema(&branch, &format!("{place}/{index}")));
            }
        }
        let mut draft = Draft::of(schema);
        self.beside(&mut draft, schema, at);
        match &mut chosen[..] {
            [] => draft.take_over(self.nothing(at)),
            [only] if self.dialect == Dialect::Gemini => draft.take_over(only.take()),
            _ => draft.set("anyOf", chosen),
        }
        nullable::marked(draft.finish(), marks && branches.iter().any(is_null))
    }

    fn admit_losses(&mut self, schema: &Keywords, keyword: &str, at: &str) {
        let all = schema.get("allOf").and_then(Value::as_array);
        match keyword {
            "oneOf" => self.lose(at, keyword, LossAction::Widened),
            "allOf" if all.is_some_and(|all| all.len() > 1) => {
                self.lose(at, keyword, LossAction::Widened);
            }
            _ => {}
        }
        for other in ["oneOf", "allOf"] {
            if other != keyword && keyword != "allOf" && schema.contains_key(other) {
                self.lose(at, other, LossAction::Dropped);
            }
        }
    }

    /// What a choice or a reference says besides. A constraint has no place there.
    pub(super) fn beside(&mut self, draft: &mut Draft, schema: &Keywords, at: &str) {
        for (keyword, value) in schema {
            let own = STRUCTURE.contains(&keyword.as_str()) && !is_constraint(keyword);
            match keyword.as_str() {
                _ if own || is_noise(keyword, value) => {}
                "type" if is_implied(schema) => {}
                "default" => self.treat(draft, keyword, value, at),
                _ => self.describe(draft, keyword, value, at),
            }
        }
    }
}

/// Of the keywords with a function of their own, those that a choice would have to hold to.
fn is_constraint(keyword: &str) -> bool {
    matches!(
        keyword,
        "additionalProperties"
            | "const"
            | "enum"
            | "items"
            | "patternProperties"
            | "prefixItems"
            | "required"
            | "type"
    )
}

/// Whether every branch of a choice is of a type that the choice is of.
fn is_implied(schema: &Keywords) -> bool {
    let outer = kinds(schema);
    let is_within = |branch: &Value| {
        let kinds = typed_by(schema, branch)
            .as_object()
            .map_or_else(Vec::new, kinds);
        !kinds.is_empty() && kinds.iter().all(|kind| outer.contains(kind))
    };
    of(schema).is_some_and(|(_, branches)| branches.iter().all(is_within))
}

fn is_null(schema: &Value) -> bool {
    schema
        .as_object()
        .is_some_and(|schema| kinds(schema) == ["null"])
}

/// A branch that says no type is of the type that the choice says.
fn typed_by(schema: &Keywords, branch: &Value) -> Value {
    let mut branch = branch.clone();
    if let (Some(kind), Value::Object(keywords)) = (schema.get("type"), &mut branch)
        && kinds(keywords).is_empty()
        && !keywords.contains_key("$ref")
        && of(keywords).is_none()
    {
        keywords.insert("type".to_owned(), kind.clone());
    }
    branch
}
