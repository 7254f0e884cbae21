//! Expand: what few tools say of themselves, as data behind one pointer.

use super::{located_at, optional};
use crate::attribute::Attribute;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ExprArray;
use syn::spanned::Spanned;

// Input:  mode = "search", keywords = ["rain", SNOW]
// Output: Some(const { &Hints::new().keywords(&["rain", SNOW]).mode(ToolMode::Search) })
pub(super) fn hints(attribute: &Attribute) -> TokenStream {
    let examples = &attribute.examples;
    let examples = (!examples.is_empty()).then(|| quote!(.examples(&[#(#examples),*])));
    let mode = mode(attribute).map(|mode| quote!(.mode(__private::ToolMode::#mode)));
    let rest = quote!(#examples #mode);
    let keywords = attribute.keywords.as_ref();
    let is_silent = keywords.is_none() && rest.is_empty();
    let found = keywords.map_or_else(|| quote!(__private::Hints::new()), found_by);
    optional((!is_silent).then(|| quote!(const { &#found #rest })))
}

/// What rustc finds wrong with a constant is shown on the list.
fn found_by(list: &ExprArray) -> TokenStream {
    let keywords = list.elems.iter();
    let hints = quote!(__private::Hints::new().keywords(&[#(#keywords),*]));
    located_at(list.span(), hints)
}

fn mode(attribute: &Attribute) -> Option<TokenStream> {
    match &attribute.mode {
        Some(mode) if mode.value() == "direct" => Some(quote!(Direct)),
        Some(_) => Some(quote!(Search)),
        None => attribute.deferred.as_ref().map(|_| quote!(Search)),
    }
}
