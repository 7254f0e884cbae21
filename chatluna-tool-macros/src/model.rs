//! Model: one tool, with every default filled in.

use crate::attribute::{Attribute, Prefix};
use crate::function::Function;
use crate::report::Report;
use crate::signature::{Argument, Input, Kind, cfgs, inputs};
use crate::text::{doc, literal};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ReturnType, Signature, Type, parse_quote};

pub(crate) struct Tool {
    pub(crate) attribute: Attribute,
    pub(crate) signature: Signature,
    /// The type whose method it is, in a `#[toolset]`.
    pub(crate) owner: Option<Type>,
    /// The conditions of the function, which everything made from it shares.
    pub(crate) cfgs: Vec<syn::Attribute>,
    pub(crate) name: Name,
    pub(crate) description: Option<Expr>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) output: Type,
}

/// The name without its prefix.
pub(crate) enum Name {
    /// Known here, and what to edit to change it.
    Known(String, Span),
    /// Known to rustc.
    Const(Box<Expr>),
}

impl Tool {
    pub(crate) fn new(
        attribute: Attribute,
        function: &Function,
        owner: Option<&Type>,
        report: &mut Report,
    ) -> Self {
        let signature = &function.signature;
        Self {
            name: name(&attribute, signature),
            description: attribute
                .description
                .clone()
                .or_else(|| doc(&function.attributes)),
            inputs: inputs(&signature.inputs, owner, report),
            output: output(&signature.output),
            signature: signature.clone(),
            owner: owner.cloned(),
            cfgs: cfgs(&function.attributes),
            attribute,
        }
    }

    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&Input, &Argument)> {
        self.inputs.iter().filter_map(|input| match &input.kind {
            Kind::Argument(argument) => Some((input, &**argument)),
            Kind::Injected(_) => None,
        })
    }

    pub(crate) fn injected(&self) -> impl Iterator<Item = (&Input, &Type)> {
        self.inputs.iter().filter_map(|input| match &input.kind {
            Kind::Argument(_) => None,
            Kind::Injected(ty) => Some((input, &**ty)),
        })
    }

    /// The type of the arguments as hooks see it.
    pub(crate) fn arguments_ident(&self) -> Ident {
        let own = || format_ident!("{}_arguments", self.signature.ident.unraw());
        self.attribute.args.clone().unwrap_or_else(own)
    }

    /// The prefix so far as it is known here, empty without one.
    pub(crate) fn prefix(&self) -> String {
        match &self.attribute.prefix {
            Some(Prefix::Text(text)) => text.value(),
            Some(Prefix::Module(_)) | None => String::new(),
        }
    }

    /// The expression for the part of the whole name that only rustc knows.
    pub(crate) fn const_span(&self) -> Option<Span> {
        match (&self.name, &self.attribute.prefix) {
            (Name::Const(name), _) => Some(name.span()),
            (Name::Known(..), Some(Prefix::Module(span))) => Some(*span),
            _ => None,
        }
    }
}

fn name(attribute: &Attribute, signature: &Signature) -> Name {
    let Some(expr) = &attribute.name else {
        return Name::Known(signature.ident.unraw().to_string(), signature.ident.span());
    };
    match literal(expr) {
        Some(text) => Name::Known(text, expr.span()),
        None => Name::Const(Box::new(expr.clone())),
    }
}

fn output(output: &ReturnType) -> Type {
    match output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => ty.as_ref().clone(),
    }
}
