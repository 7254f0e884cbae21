//! Model: the parameters of the function.

use crate::argument::Details;
use crate::report::Report;
use crate::text::doc;
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, FnArg, Meta, Pat, PatType, Token, Type, parse_quote};

/// One parameter of the function, in order.
pub(crate) struct Input {
    pub(crate) kind: Kind,
    /// The `cfg`s of the parameter, which everything made from it shares.
    pub(crate) cfgs: Vec<Attribute>,
    /// The lints that the parameter allows or expects.
    pub(crate) lints: Vec<Attribute>,
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
    pub(crate) details: Details,
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
        match &self.details.rename {
            Some(name) => name.value(),
            None => self.ident.unraw().to_string(),
        }
    }
}

/// The parameters that can be one; the others are for the check to report.
///
/// A receiver is state of the `owner`, the type whose method it is.
pub(crate) fn inputs<'a>(
    parameters: impl IntoIterator<Item = &'a FnArg>,
    owner: Option<&Type>,
    report: &mut Report,
) -> Vec<Input> {
    let inputs = parameters.into_iter().map(|parameter| match parameter {
        FnArg::Receiver(_) => owner.map(|owner| Input {
            kind: Kind::Injected(Box::new(owner.clone())),
            cfgs: Vec::new(),
            lints: Vec::new(),
        }),
        FnArg::Typed(parameter) => input(parameter, owner, report),
    });
    inputs.flatten().collect()
}

fn input(parameter: &PatType, owner: Option<&Type>, report: &mut Report) -> Option<Input> {
    Some(Input {
        kind: kind(parameter, owner, report)?,
        cfgs: cfgs(&parameter.attrs),
        lints: lints(&parameter.attrs),
    })
}

/// The conditions among the attributes.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter_map(condition).collect()
}

/// `cfg(..)`, also as one of what `cfg_attr(..)` brings.
fn condition(attribute: &Attribute) -> Option<Attribute> {
    if attribute.path().is_ident("cfg") {
        return Some(attribute.clone());
    }
    if !attribute.path().is_ident("cfg_attr") {
        return None;
    }
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated;
    let metas = attribute.parse_args_with(metas).ok()?;
    let mut metas = metas.into_iter();
    let predicate = metas.next()?;
    let brought: Vec<Meta> = metas.filter(|meta| meta.path().is_ident("cfg")).collect();
    (!brought.is_empty()).then(|| parse_quote!(#[cfg_attr(#predicate, #(#brought),*)]))
}

/// What the user allows or expects, for what is made of the same types and names.
pub(crate) fn lints(attributes: &[Attribute]) -> Vec<Attribute> {
    let lint = |attribute: &Attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => {
            let lints = &list.tokens;
            Some(parse_quote!(#[allow(#lints)]))
        }
        _ => None,
    };
    attributes.iter().filter_map(lint).collect()
}

fn kind(parameter: &PatType, owner: Option<&Type>, report: &mut Report) -> Option<Kind> {
    match (stored(&parameter.ty), ungrouped(&parameter.ty)) {
        (Some(stored), _) => {
            let ident = name(&parameter.pat)?;
            let mut details = Details::new(&parameter.attrs, owner, report);
            Some(Kind::Argument(Box::new(Argument {
                ident,
                stored,
                description: details.description.take().or_else(|| doc(&parameter.attrs)),
                details,
            })))
        }
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
