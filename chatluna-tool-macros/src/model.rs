//! Model: one tool, with every default filled in.

use crate::attribute::{Attribute, literal};
use crate::function::Function;
use crate::key::Key;
use crate::report::Report;
use crate::signature::{Argument, Input, Kind, inputs};
use crate::text::{Doc, doc};
use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Expr, Lit, ReturnType, Signature, Type, parse_quote};

pub(crate) struct Tool {
    pub(crate) attribute: Attribute,
    pub(crate) signature: Signature,
    pub(crate) name: Name,
    pub(crate) description: Option<Expr>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) output: Type,
}

/// The name without its prefix.
pub(crate) enum Name {
    /// Known here. The expression is there when the attribute gave it.
    Known(String, Option<Expr>),
    /// Known to rustc.
    Const(Expr),
}

impl Tool {
    pub(crate) fn new(keys: Vec<Key>, function: &Function, report: &mut Report) -> Self {
        let attribute = Attribute::new(keys, report);
        let signature = &function.signature;
        Self {
            name: name(&attribute, signature),
            description: description(&attribute, function),
            inputs: inputs(&signature.inputs, report),
            output: output(&signature.output),
            signature: signature.clone(),
            attribute,
        }
    }

    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&Input, &Argument)> {
        self.inputs.iter().filter_map(|input| match &input.kind {
            Kind::Argument(argument) => Some((input, &**argument)),
            Kind::Injected(_) => None,
        })
    }

    /// The type of the arguments as hooks see it.
    pub(crate) fn arguments_ident(&self) -> Ident {
        let own = || format_ident!("{}_arguments", self.signature.ident.unraw());
        self.attribute.args.clone().unwrap_or_else(own)
    }

    /// The prefix, empty without one.
    pub(crate) fn prefix(&self) -> String {
        self.attribute
            .prefix
            .as_ref()
            .map(syn::LitStr::value)
            .unwrap_or_default()
    }
}

fn name(attribute: &Attribute, signature: &Signature) -> Name {
    let Some(expr) = &attribute.name else {
        return Name::Known(signature.ident.unraw().to_string(), None);
    };
    match literal(expr) {
        Some(Lit::Str(text)) => Name::Known(text.value(), Some(expr.clone())),
        _ => Name::Const(expr.clone()),
    }
}

/// The key, else the doc comment.
fn description(attribute: &Attribute, function: &Function) -> Option<Expr> {
    if attribute.description.is_some() {
        return attribute.description.clone();
    }
    match doc(&function.attributes) {
        Doc::Computed(value) => Some(*value),
        Doc::Text(text) if text.is_empty() => None,
        Doc::Text(text) => Some(parse_quote!(#text)),
    }
}

fn output(output: &ReturnType) -> Type {
    match output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => ty.as_ref().clone(),
    }
}
