//! Check: the types of a signature, as far as syntax tells. The rest is rustc's.

use crate::model::Tool;
use crate::report::Report;
use crate::signature::ungrouped;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{FnArg, GenericArgument, Lifetime, PathArguments, Type, TypeReference};

pub(super) fn check_inputs(tool: &Tool, report: &mut Report) {
    for input in &tool.signature.inputs {
        let FnArg::Typed(parameter) = input else {
            continue;
        };
        match ungrouped(&parameter.ty) {
            Type::Reference(reference) => check_reference(reference, report),
            owned => check_argument(owned, report),
        }
    }
}

/// A reference in a parameter is a lent argument, `&str` or `&[T]`, or else state.
fn check_reference(reference: &TypeReference, report: &mut Report) {
    match ungrouped(&reference.elem) {
        Type::ImplTrait(ty) => report.on(ty, IMPL_PARAMETER),
        Type::TraitObject(object) => report.on(
            object,
            "state has to have a concrete type; take `&Arc<dyn Trait>` and provide that",
        ),
        Type::Slice(slice) => {
            check_loan(reference, report);
            check_argument(&slice.elem, report);
        }
        inner if is_named(inner, "String") => report.on(
            reference,
            "`&String` is no argument and no state; write `&str`, or take a `String`",
        ),
        inner if is_named(inner, "Vec") => report.on(
            reference,
            "`&Vec<_>` is no argument and no state; write `&[_]`, or take a `Vec`",
        ),
        _ => check_loan(reference, report),
    }
}

fn check_loan(reference: &TypeReference, report: &mut Report) {
    if let Some(token) = &reference.mutability {
        report.on(
            token,
            "a tool cannot take `&mut`; take `&T` and put what changes behind a `Mutex`",
        );
    }
    if let Some(lifetime) = &reference.lifetime {
        report.on(lifetime, "a reference in a tool has no lifetime; remove it");
    }
}

const IMPL_PARAMETER: &str = "a tool cannot take `impl Trait`; write a concrete type";

fn check_argument(owned: &Type, report: &mut Report) {
    let parts = parts(owned);
    if is_unsized(owned) || parts.iter().any(Part::is_placeholder) {
        report.leave_to_rustc();
    } else if let Some(part) = parts.iter().find(|part| part.is_impl()) {
        report.on(part, IMPL_PARAMETER);
    } else if is_named(owned, "Option") && parts[1..].iter().any(Part::is_reference) {
        report.on(
            owned,
            "an optional argument owns its data; take an `Option<String>` or an `Option<Vec<_>>`",
        );
    } else if let Some(part) = parts
        .iter()
        .find(|part| part.is_reference() || part.is_borrowed())
    {
        report.on(
            part,
            "an argument owns its data; use an owned type such as `String` or `Vec`",
        );
    }
}

/// A result outlives the call, and so the state that the call was lent.
pub(super) fn check_output(tool: &Tool, report: &mut Report) {
    let parts = parts(&tool.output);
    if parts.iter().any(Part::is_placeholder) {
        report.leave_to_rustc();
    }
    if let Some(part) = parts.iter().find(|part| part.is_impl()) {
        report.on(part, "a tool cannot return `impl Trait`; name the type");
    }
    // With any other number of references rustc says what is wrong with the lifetime.
    if tool.injected().count() == 1
        && let Some(part) = parts.iter().find(|part| part.is_borrowed())
    {
        report.on(
            part,
            "a tool cannot return what it borrows; return an owned type such as `String`",
        );
    }
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

fn is_unsized(ty: &Type) -> bool {
    matches!(ty, Type::Slice(_) | Type::TraitObject(_)) || is_named(ty, "str")
}

/// A type or a lifetime inside a type.
enum Part<'a> {
    Type(&'a Type),
    Lifetime(&'a Lifetime),
}

impl Part<'_> {
    fn is_impl(&self) -> bool {
        matches!(self, Self::Type(Type::ImplTrait(_)))
    }

    /// Whether it means nothing in a free function.
    fn is_placeholder(&self) -> bool {
        match self {
            Self::Type(Type::Infer(_)) => true,
            Self::Type(Type::Path(path)) => path.path.is_ident("Self"),
            _ => false,
        }
    }

    fn is_reference(&self) -> bool {
        matches!(self, Self::Type(Type::Reference(_)))
    }

    /// Whether it borrows for less than `'static`.
    fn is_borrowed(&self) -> bool {
        let lifetime = match self {
            Self::Type(Type::Reference(reference)) => reference.lifetime.as_ref(),
            Self::Type(_) => return false,
            Self::Lifetime(lifetime) => Some(*lifetime),
        };
        lifetime.is_none_or(|lifetime| lifetime.ident != "static")
    }
}

impl ToTokens for Part<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Type(ty) => ty.to_tokens(tokens),
            Self::Lifetime(lifetime) => lifetime.to_tokens(tokens),
        }
    }
}

/// The type itself, and what its elements and generic arguments consist of.
fn parts(ty: &Type) -> Vec<Part<'_>> {
    let ty = ungrouped(ty);
    let mut all = vec![Part::Type(ty)];
    match ty {
        Type::Array(array) => all.extend(parts(&array.elem)),
        Type::Slice(slice) => all.extend(parts(&slice.elem)),
        Type::Reference(reference) => all.extend(parts(&reference.elem)),
        Type::Tuple(tuple) => all.extend(tuple.elems.iter().flat_map(parts)),
        Type::Path(path) => {
            let arguments = path.path.segments.iter().map(|segment| &segment.arguments);
            all.extend(arguments.flat_map(generic_parts));
        }
        _ => {}
    }
    all
}

fn generic_parts(arguments: &PathArguments) -> Vec<Part<'_>> {
    let PathArguments::AngleBracketed(generic) = arguments else {
        return Vec::new();
    };
    let parts = generic.args.iter().map(|argument| match argument {
        GenericArgument::Type(ty) => parts(ty),
        GenericArgument::Lifetime(lifetime) => vec![Part::Lifetime(lifetime)],
        _ => Vec::new(),
    });
    parts.flatten().collect()
}
