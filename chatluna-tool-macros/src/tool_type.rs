//! `#[tool_type]`: the derives of an argument or result type, from our own re-exports.

use crate::function::{head, head_span};
use crate::key;
use crate::report::Report;
use crate::value::{path, unique};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Path, parse_quote};

/// The type and the errors. The derives stay, so that nothing else fails for want of them.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let krate = krate(attribute, &mut report);
    let derives = check_item(&item, &mut report).then(|| derives(&krate));
    let errors = report.into_errors();
    quote!(#derives #item #errors)
}

fn derives(krate: &Path) -> TokenStream {
    let private: Path = parse_quote!(#krate::__private);
    let serde = path_text(&parse_quote!(#private::serde));
    let schemars = path_text(&parse_quote!(#private::schemars));
    quote! {
        #[::core::prelude::v1::derive(
            #private::serde::Deserialize,
            #private::serde::Serialize,
            #private::schemars::JsonSchema,
        )]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
    }
}

/// A path in an attribute of serde or schemars is a string.
fn path_text(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The path that `crate = ..` gives.
fn krate(attribute: TokenStream, report: &mut Report) -> Path {
    let mut krate = None;
    for key in unique(key::parse(attribute, report), &[], report) {
        if key.name == "crate" {
            krate = path(key, report);
        } else {
            let name = &key.name;
            report.on(
                name,
                format_args!("unknown key `{name}`; `#[tool_type]` takes `crate = path` only"),
            );
        }
    }
    krate.unwrap_or_else(|| parse_quote!(::chatluna_tool))
}

fn check_item(item: &TokenStream, report: &mut Report) -> bool {
    let keyword = head(item).into_iter().next();
    let is_type =
        keyword.is_some_and(|word| ["enum", "struct"].contains(&word.to_string().as_str()));
    if !is_type {
        report.at(
            head_span(item),
            "`#[tool_type]` goes on a struct or an enum; move it there",
        );
    }
    is_type
}
