//! Expand: what the attributes of an argument say, as data and as checks by rustc.

use super::{located_at, private};
use crate::argument::{DefaultValue, unwrapped};
use crate::bounds::{Bounds, Number};
use crate::model::Tool;
use crate::signature::{Argument, Stored};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, Type};

/// The rest of what is said of an argument, if anything is.
pub(super) fn details(argument: &Argument) -> Option<TokenStream> {
    let details = &argument.details;
    let aliases = &details.aliases;
    let aliases = (!aliases.is_empty()).then(|| quote!(.aliases(&[#(#aliases),*])));
    let default = details.default.as_ref().and_then(literal_default);
    // The model is told nothing of a secret.
    let default = default.filter(|_| details.secret.is_none());
    let default = default.map(|literal| quote!(.default_value(#literal)));
    let range = details.range.as_ref().map(range);
    let range = range.map(|range| quote!(.range(#range)));
    let length = details.length.as_ref().map(length);
    let length = length.map(|length| quote!(.length(#length)));
    let pattern = details.pattern.as_ref();
    let pattern = pattern.map(|pattern| quote!(.pattern(#pattern)));
    let examples = examples(&details.examples);
    let role = match (&details.secret, &details.multiline) {
        (Some(_), _) => Some(quote!(.role(__private::Role::Secret))),
        (None, Some(_)) => Some(quote!(.role(__private::Role::Multiline))),
        (None, None) => None,
    };
    let flatten = details.flatten.as_ref().map(|_| quote!(.flattened()));
    let calls = quote!(#aliases #default #range #length #pattern #examples #role #flatten);
    (!calls.is_empty()).then(|| quote!(.details(const { &__private::Details::new() #calls })))
}

/// A default that the model can be told: a literal.
fn literal_default(default: &DefaultValue) -> Option<TokenStream> {
    let DefaultValue::Value(value) = default else {
        return None;
    };
    let value = unwrapped(value);
    if let Some(number) = Number::of(value) {
        return Some(match number {
            Number::Integer(value) => quote!(__private::Literal::Integer(#value)),
            Number::Float(value) => quote!(__private::Literal::Number(#value)),
        });
    }
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Bool(value),
            ..
        }) => Some(quote!(__private::Literal::Bool(#value))),
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(quote!(__private::Literal::Text(#text))),
        _ => None,
    }
}

fn range(bounds: &Bounds) -> TokenStream {
    let (min, max) = (bound(bounds.min.as_ref()), bound(bounds.max.as_ref()));
    quote_spanned!(bounds.whole.span()=> __private::Range::new(#min, #max))
}

fn bound(bound: Option<&Expr>) -> TokenStream {
    end(bound, number)
}

fn end(bound: Option<&Expr>, expand: impl Fn(&Expr) -> TokenStream) -> TokenStream {
    match bound {
        Some(bound) => {
            let (place, bound) = (within(bound), expand(bound));
            quote_spanned!(place=> ::core::option::Option::Some(#bound))
        }
        None => quote!(::core::option::Option::None),
    }
}

/// The place of the user's tokens, for tokens that are not the user's.
fn within(tokens: &Expr) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// A number as an integer and as a float: only rustc knows which of them it is.
fn number(value: &Expr) -> TokenStream {
    match Number::of(value) {
        Some(Number::Integer(integer)) => {
            let float = Number::Integer(integer).float();
            quote!(__private::Bound::new(#integer, #float))
        }
        Some(Number::Float(float)) => quote!(__private::Bound::new(0, #float)),
        None => {
            let place = within(value);
            let integer = quote_spanned!(place=> (#value) as ::core::primitive::i128);
            let float = quote_spanned!(place=> (#value) as ::core::primitive::f64);
            quote_spanned!(place=> __private::Bound::new(#integer, #float))
        }
    }
}

fn length(bounds: &Bounds) -> TokenStream {
    let whole = |bound: &Expr| bound.to_token_stream();
    let (min, max) = (
        end(bounds.min.as_ref(), whole),
        end(bounds.max.as_ref(), whole),
    );
    quote_spanned!(bounds.whole.span()=> __private::Length::new(#min, #max))
}

/// Bounds and defaults that only rustc knows are compared when the user's crate is compiled.
//
// Input:  #[arg(default = DAYS, range(1..=MAX_DAYS))] days: u8
// Output: const _: () = Range::new(..).check();
//         const _: () = Range::new(..).check_default(Bound::new(DAYS as i128, DAYS as f64));
pub(super) fn checks(tool: &Tool) -> impl Iterator<Item = TokenStream> {
    let (private, conditions) = (private(&tool.attribute), &tool.cfgs);
    let checks = tool.arguments().flat_map(|(input, argument)| {
        let checks = bound_checks(argument).into_iter();
        checks.map(move |check| (&input.cfgs, check))
    });
    checks.map(move |(cfgs, check)| {
        quote! {
            #(#conditions)*
            #(#cfgs)*
            const _: () = {
                use #private as __private;
                #check
            };
        }
    })
}

fn bound_checks(argument: &Argument) -> Vec<TokenStream> {
    let mut checks = Vec::new();
    let details = &argument.details;
    let (range_bounds, length_bounds) = (details.range.as_ref(), details.length.as_ref());
    let is_const = |bounds: &&Bounds| !bounds.are_literal();
    if let Some(bounds) = range_bounds.filter(is_const) {
        let range = range(bounds);
        checks.push(located_at(bounds.whole.span(), quote!(#range.check())));
    }
    if let Some(bounds) = length_bounds.filter(is_const) {
        let length = length(bounds);
        checks.push(located_at(bounds.whole.span(), quote!(#length.check())));
    }
    let default = details.default.as_ref().and_then(DefaultValue::constant);
    let default = default.filter(|_| is_primitive(&argument.stored));
    if let Some((bounds, default)) = range_bounds.zip(default) {
        let (range, value) = (range(bounds), number(default));
        checks.push(located_at(
            default.span(),
            quote!(#range.check_default(#value)),
        ));
    }
    checks
}

/// Whether the type is written as one of Rust's numbers, so that a constant of it can be cast. Of
/// any other type nothing is checked before a call.
fn is_primitive(stored: &Stored) -> bool {
    let numbers = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64",
    ];
    let Stored::Value(Type::Path(ty)) = stored else {
        return false;
    };
    let last = ty.path.segments.last();
    last.is_some_and(|last| numbers.iter().any(|number| last.ident == number))
}

fn examples(examples: &[Expr]) -> Option<TokenStream> {
    let rows = examples
        .iter()
        .map(|example| quote_spanned!(example.span()=> || __private::json(&#example)));
    (!examples.is_empty()).then(|| quote!(.examples(&[#(#rows),*])))
}
