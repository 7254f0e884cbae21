//! Check: one function a rule. Nothing is changed here and nothing quoted.

mod argument;
mod keywords;
mod mode;
mod name;
mod output_cap;
mod signature;
mod timeout;
mod types;

use crate::attribute::{Attribute, KeyOf};
use crate::model::Tool;
use crate::report::Report;
use crate::signature::{Argument, Input};
use crate::text::literal;

pub(crate) use keywords::check_shared;
pub(crate) use name::{check_set, joined};
pub(crate) use output_cap::bytes;
pub(crate) use timeout::milliseconds;

/// What is wrong with the keys alone, of a tool or of a toolset.
pub(crate) fn check_attribute(attribute: &Attribute, report: &mut Report) {
    name::check_prefix(attribute, report);
    check_effect(attribute, report);
    timeout::check(attribute, report);
    output_cap::check(attribute, report);
    check_examples(attribute, report);
    mode::check(attribute, report);
    keywords::check(attribute, report);
}

pub(crate) fn check(tool: &Tool, report: &mut Report) {
    check_signature(tool, report);
    name::check(tool, report);
    check_description(tool, report);
    check_key(tool, report);
    argument::check(tool, report);
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

fn check_effect(attribute: &Attribute, report: &mut Report) {
    let Some(effect) = &attribute.effect else {
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

/// Whether it fits the schema, `testing::check_all` tells.
fn check_examples(attribute: &Attribute, report: &mut Report) {
    for example in &attribute.examples {
        let is_object = |text: String| text.trim().starts_with('{');
        if literal(example).is_some_and(|text| !is_object(text)) {
            let message = "an example is the JSON object of all arguments; write `example = r#\"{\"city\": \"Oslo\"}\"#`";
            report.on(example, message);
        }
    }
}

fn check_key(tool: &Tool, report: &mut Report) {
    let Some(key) = &tool.attribute.key else {
        return;
    };
    let is_key = |(_, argument): (&Input, &Argument)| match key {
        KeyOf::Argument(key) => argument.ident == *key,
        KeyOf::Function(_) => true,
    };
    if let KeyOf::Argument(ident) = key
        && !tool.arguments().any(is_key)
    {
        let arguments = tool.arguments();
        let known = arguments.map(|(_, argument)| format!("`{}`", argument.ident));
        let function = format!("`self::{ident}` for a function");
        let remedies: Vec<String> = known.chain([function]).collect();
        let remedies = remedies.join(" or ");
        report.on(
            key,
            format_args!("`{ident}` is no argument of the tool; write {remedies}"),
        );
    }
    if !tool.attribute.parallel {
        let message = "`key` keeps parallel calls in order; add `parallel`, or remove `key`";
        report.on(key, message);
    }
}
