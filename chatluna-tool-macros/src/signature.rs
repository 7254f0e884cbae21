//! Model: the parameters of the function.

use crate::text::doc;
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Attribute, Expr, FnArg, Pat, PatType, Type};

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
    pub(crate) description: Option<Expr>,
}

impl Argument {
    /// The name that the model sees.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }
}

/// The parameters that can be one; the others are for the check to report.
pub(crate) fn inputs<'a>(parameters: impl IntoIterator<Item = &'a FnArg>) -> Vec<Input> {
    let inputs = parameters.into_iter().map(|parameter| match parameter {
        FnArg::Receiver(_) => None,
        FnArg::Typed(parameter) => input(parameter),
    });
    inputs.flatten().collect()
}

fn input(parameter: &PatType) -> Option<Input> {
    let cfgs = parameter
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"));
    Some(Input {
        kind: kind(parameter)?,
        cfgs: cfgs.cloned().collect(),
    })
}

fn kind(parameter: &PatType) -> Option<Kind> {
    match ungrouped(&parameter.ty) {
        Type::Reference(reference) => Some(Kind::Injected(reference.elem.clone())),
        _ => Some(Kind::Argument(Box::new(Argument {
            ident: name(&parameter.pat)?,
            ty: parameter.ty.as_ref().clone(),
            description: doc(&parameter.attrs),
        }))),
    }
}

/// The name that the pattern gives the whole value.
pub(crate) fn name(pattern: &Pat) -> Option<Ident> {
    match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            Some(pattern.ident.clone())
        }
        _ => None,
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
