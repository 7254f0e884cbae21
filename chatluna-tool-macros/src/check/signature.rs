//! Check: what surrounds the types of a signature.

use crate::model::Tool;
use crate::report::Report;
use crate::signature::{name, stored};
use std::collections::BTreeSet;
use syn::{Attribute, FnArg, PatType, Safety};

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
        report.on(
            clause,
            "a tool cannot be generic; remove the `where` clause",
        );
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
            FnArg::Receiver(receiver) => report.on(
                receiver,
                "`#[tool]` cannot go on a method; take the value as state, `db: &Db`, in a free function",
            ),
            FnArg::Typed(parameter) => {
                check_attributes(&parameter.attrs, report);
                check_pattern(parameter, report);
            }
        }
    }
}

fn check_attributes(attributes: &[Attribute], report: &mut Report) {
    for attribute in attributes {
        for name in ["arg", "schemars", "serde"] {
            if attribute.path().is_ident(name) {
                report.on(attribute, format_args!("`#[{name}(..)]` on a parameter is not in this version of chatluna-tool; remove it"));
            }
        }
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
