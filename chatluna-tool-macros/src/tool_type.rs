//! `#[tool_type]`: the derives of an argument or result type, from our own re-exports.

use crate::expand::path_text;
use crate::key::{self, Value};
use crate::report::Report;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path, parse_quote};

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let krate = krate(attribute, &mut report);
    check_item(&item, &mut report);
    if let Some(errors) = report.into_errors() {
        return quote!(#item #errors);
    }
    let private: Path = parse_quote!(#krate::__private);
    let serde = path_text(&parse_quote!(#private::serde));
    let schemars = path_text(&parse_quote!(#private::schemars));
    quote! {
        #[derive(
            #private::serde::Deserialize,
            #private::serde::Serialize,
            #private::schemars::JsonSchema,
        )]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #item
    }
}

/// The path that `crate = ..` gives.
fn krate(attribute: TokenStream, report: &mut Report) -> Path {
    let mut krate = parse_quote!(::chatluna_tool);
    for key in key::parse(attribute, report) {
        match (key.name.to_string().as_str(), key.value) {
            ("crate", Value::Path(path)) => krate = path,
            _ => report.on(
                &key.name,
                format_args!(
                    "unknown key `{}`; `#[tool_type]` takes `crate = path` only",
                    key.name
                ),
            ),
        }
    }
    krate
}

fn check_item(item: &TokenStream, report: &mut Report) {
    if syn::parse2::<DeriveInput>(item.clone()).is_err() {
        report.on(
            item,
            "`#[tool_type]` goes on a struct or an enum; move it there",
        );
    }
}
