//! Check: one function a rule. Nothing is changed here and nothing quoted.

mod name;
mod signature;
mod timeout;
mod types;

use crate::model::Tool;
use crate::report::Report;
use crate::text::literal;

pub(crate) use name::joined;
pub(crate) use timeout::milliseconds;

pub(crate) fn check(tool: &Tool, report: &mut Report) {
    check_signature(tool, report);
    name::check(tool, report);
    name::check_prefix(tool, report);
    check_description(tool, report);
    check_effect(tool, report);
    timeout::check(tool, report);
}

fn check_signature(tool: &Tool, report: &mut Report) {
    signature::check_qualifiers(tool, report);
    signature::check_generics(tool, report);
    signature::check_parameters(tool, report);
    signature::check_names(tool, report);
    signature::check_count(tool, report);
    types::check_inputs(tool, report);
    types::check_output(tool, report);
}

/// Whether the parameters could be the fields of a struct.
pub(crate) fn has_sound_signature(tool: &Tool) -> bool {
    let mut report = Report::default();
    check_signature(tool, &mut report);
    report.into_errors().is_none()
}

/// A model chooses tools by their descriptions.
fn check_description(tool: &Tool, report: &mut Report) {
    let Some(description) = &tool.description else {
        let message =
            "the tool has no description; write a doc comment above it, or `description = \"..\"`";
        report.on(&tool.signature.ident, message);
        return;
    };
    if literal(description).is_some_and(|text| text.trim().is_empty()) {
        report.on(
            description,
            "the description is empty; say what the tool does",
        );
    }
}

fn check_effect(tool: &Tool, report: &mut Report) {
    let Some(effect) = &tool.attribute.effect else {
        return;
    };
    let word = effect.value();
    if !["read", "write", "exec"].contains(&word.as_str()) {
        report.on(
            effect,
            format_args!("unknown effect `{word}`; write \"read\", \"write\" or \"exec\""),
        );
    }
}
