//! Check: what surrounds the types of a signature.

use crate::argument::is_helper;
use crate::model::Tool;
use crate::report::Report;
use crate::signature::{name, stored};
use std::collections::BTreeSet;
use syn::{Attribute, FnArg, PatType, Receiver, ReceiverKind, Safety};

/// The walker marks what it has seen in one word.
const MAX_ARGUMENTS: usize = 64;

/// The runtime calls the function as safe Rust.
pub(super) fn check_qualifiers(tool: &Tool, report: &mut Report) {
    let signature = &tool.signature;
    if let Some(token) = &signature.constness {
        report.on(token, "a tool cannot be a `const fn`; remove `const`");
    }
    if !matches!(signature.safety, Safety::Default) {
        report.on(
            &signature.safety,
            "a tool cannot be `unsafe`; wrap the unsafe code inside it",
        );
    }
    if let Some(abi) = &signature.abi {
        report.on(
            abi,
            "a tool cannot be `extern`; remove it and call the foreign function inside",
        );
    }
    if signature.variadic.is_some() {
        report.leave_to_rustc();
    }
}

/// A model cannot choose a type.
pub(super) fn check_generics(tool: &Tool, report: &mut Report) {
    let generics = &tool.signature.generics;
    if !generics.params.is_empty() {
        report.on(
            &generics.params,
            "a tool cannot be generic; write concrete types, and references without a lifetime",
        );
    }
    if let Some(clause) = &generics.where_clause {
        let message = "a tool cannot be generic; remove the `where` clause";
        // An empty clause has no tokens to stand on but its first.
        match clause.predicates.is_empty() {
            true => report.on(clause.where_token, message),
            false => report.on(clause, message),
        }
    }
}

pub(super) fn check_count(tool: &Tool, report: &mut Report) {
    if let Some((_, extra)) = tool.arguments().nth(MAX_ARGUMENTS) {
        report.on(
            &extra.ident,
            format_args!("a tool has {MAX_ARGUMENTS} arguments at most; group some in a struct"),
        );
    }
}

pub(super) fn check_parameters(tool: &Tool, report: &mut Report) {
    for input in &tool.signature.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                check_receiver(receiver, tool.owner.is_some(), report);
                check_helpers(&receiver.attrs, report);
            }
            FnArg::Typed(parameter) => {
                if stored(&parameter.ty).is_none() {
                    check_helpers(&parameter.attrs, report);
                }
                check_pattern(parameter, report);
            }
        }
    }
}

/// Calls of one value's tools run at the same time.
fn check_receiver(receiver: &Receiver, in_toolset: bool, report: &mut Report) {
    let is_plain = matches!(receiver.kind, ReceiverKind::Reference(_, None, None));
    if !in_toolset {
        report.on(
            receiver,
            "a method is a tool only in a `#[toolset]`, marked `#[tool]` by that name; put `#[toolset]` on the `impl` block, or write a free function that takes `&T`",
        );
    } else if !is_plain {
        report.on(
            receiver,
            "the receiver of a tool is written `&self`; put what changes behind a `Mutex`",
        );
    }
}

/// What is said of an argument cannot be said of state.
fn check_helpers(attributes: &[Attribute], report: &mut Report) {
    if let Some(helper) = attributes.iter().find(|attribute| is_helper(attribute)) {
        report.on(
            helper,
            "a reference is state of the program, which the model does not see; remove the attribute, or take the value without `&`",
        );
    }
}

/// The pattern of state can be anything: the model does not see it.
fn check_pattern(parameter: &PatType, report: &mut Report) {
    if stored(&parameter.ty).is_some() && name(&parameter.pat).is_none() {
        let message = "an argument needs a name that the model can use; take it whole and destructure it in the body";
        report.on(&parameter.pat, message);
    }
}

/// Two arguments of one name, unless `cfg` removes one of them.
pub(super) fn check_names(tool: &Tool, report: &mut Report) {
    let mut seen = BTreeSet::new();
    let mut certain = tool.arguments().filter(|(input, _)| input.cfgs.is_empty());
    if !certain.all(|(_, argument)| seen.insert(&argument.ident)) {
        report.leave_to_rustc();
    }
}
