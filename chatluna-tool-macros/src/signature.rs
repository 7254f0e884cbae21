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
    pub(crate) stored: Stored,
    pub(crate) description: Option<Expr>,
}

/// How the arguments struct holds an argument.
pub(crate) enum Stored {
    /// As it is taken.
    Value(Type),
    /// For `&str`: a `String`. The type is the `str`.
    Text(Type),
    /// For `&[T]`: a `Vec` of this type.
    List(Type),
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
    match (stored(&parameter.ty), ungrouped(&parameter.ty)) {
        (Some(stored), _) => Some(Kind::Argument(Box::new(Argument {
            ident: name(&parameter.pat)?,
            stored,
            description: doc(&parameter.attrs),
        }))),
        (None, Type::Reference(reference)) => Some(Kind::Injected(reference.elem.clone())),
        (None, _) => None,
    }
}

/// How an argument of the type is held; `None` for a reference to state.
pub(crate) fn stored(ty: &Type) -> Option<Stored> {
    let Type::Reference(reference) = ungrouped(ty) else {
        return Some(Stored::Value(ty.clone()));
    };
    match ungrouped(&reference.elem) {
        Type::Slice(slice) => Some(Stored::List(slice.elem.as_ref().clone())),
        text if is_str(text) => Some(Stored::Text(text.clone())),
        _ => None,
    }
}

/// References are syntax: `str` has to be written so.
fn is_str(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("str"))
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
