//! Model: the parameters of the function.

use crate::report::Report;
use crate::text::{Doc, doc};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, Pat, PatType, Type};

/// One parameter of the function, in order.
pub(crate) struct Input {
    pub(crate) kind: Kind,
    /// The `cfg`s of the parameter, which everything made from it shares.
    pub(crate) cfgs: Vec<Attribute>,
}

pub(crate) enum Kind {
    /// From the model.
    Argument(Box<Argument>),
    /// From the program: the `T` of `&T`.
    Injected(Box<Type>),
}

pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) description: String,
}

impl Argument {
    /// The name that the model sees.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }
}

/// The parameters that can be one; the others are reported.
pub(crate) fn inputs<'a>(
    parameters: impl IntoIterator<Item = &'a FnArg>,
    report: &mut Report,
) -> Vec<Input> {
    let inputs = parameters.into_iter();
    inputs
        .filter_map(|parameter| input(parameter, report))
        .collect()
}

fn input(parameter: &FnArg, report: &mut Report) -> Option<Input> {
    match parameter {
        FnArg::Receiver(receiver) => {
            report.on(
                receiver,
                "`#[tool]` cannot go on a method; take the value as state, `db: &Db`, in a free function",
            );
            None
        }
        FnArg::Typed(parameter) => {
            reject_attributes(&parameter.attrs, report);
            let cfgs = parameter
                .attrs
                .iter()
                .filter(|attribute| attribute.path().is_ident("cfg"));
            Some(Input {
                cfgs: cfgs.cloned().collect(),
                kind: kind(parameter, report)?,
            })
        }
    }
}

fn reject_attributes(attributes: &[Attribute], report: &mut Report) {
    for attribute in attributes {
        for name in ["arg", "serde", "schemars"] {
            if attribute.path().is_ident(name) {
                report.on(
                    attribute,
                    format_args!("`#[{name}(..)]` on a parameter is not in this version of chatluna-tool; remove it"),
                );
            }
        }
    }
}

fn kind(parameter: &PatType, report: &mut Report) -> Option<Kind> {
    match ungrouped(&parameter.ty) {
        Type::Reference(reference) => Some(Kind::Injected(reference.elem.clone())),
        _ => Some(Kind::Argument(Box::new(Argument {
            ident: name(&parameter.pat, report)?,
            ty: parameter.ty.as_ref().clone(),
            description: description(&parameter.attrs, report),
        }))),
    }
}

fn description(attributes: &[Attribute], report: &mut Report) -> String {
    match doc(attributes) {
        Doc::Text(text) => text,
        Doc::Computed(value) => {
            report.on(value, "the description of a parameter has to be a doc comment or a string literal; write it out");
            String::new()
        }
    }
}

fn name(pattern: &Pat, report: &mut Report) -> Option<Ident> {
    match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            Some(pattern.ident.clone())
        }
        _ => {
            report.on(pattern, "an argument needs a name that the model can use; take it whole and destructure it in the body");
            None
        }
    }
}

/// The type inside the groups that `macro_rules!` wraps around it.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}
