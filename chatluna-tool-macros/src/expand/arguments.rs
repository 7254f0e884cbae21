//! Expand: the arguments as a struct for hooks and as rows for the runtime.

use super::details::details;
use super::{coerced, located_at, private};
use crate::argument::Schema;
use crate::function::Function;
use crate::model::Tool;
use crate::signature::{Argument, Stored, lints};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Visibility;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// The struct that hooks see. It derives nothing.
//
// Input:  async fn deploy(env: String, call: &CallContext)
// Output: struct deploy_arguments { env: String }
pub(super) fn arguments(tool: &Tool, function: &Function) -> TokenStream {
    let ident = tool.arguments_ident();
    let visibility = match tool.attribute.args {
        Some(_) => function.visibility.clone(),
        None => Visibility::Inherited,
    };
    let (private, conditions) = (private(&tool.attribute), &tool.cfgs);
    let fields = tool.arguments().map(|(input, argument)| {
        let (cfgs, lints, ident) = (&input.cfgs, &input.lints, &argument.ident);
        let ty = stored(argument, &private);
        let doc = format!(" The argument `{}`.", argument.name());
        quote!(#(#cfgs)* #(#lints)* #[doc = #doc] #visibility #ident: #ty,)
    });
    let doc = format!(" The arguments of `{}`.", tool.signature.ident.unraw());
    let lints = lints(&function.attributes);
    quote! {
        #(#conditions)*
        #(#lints)*
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #visibility struct #ident { #(#fields)* }
    }
}

/// The type that holds an argument until the function is called.
pub(super) fn stored(argument: &Argument, private: &TokenStream) -> TokenStream {
    match &argument.stored {
        Stored::Value(ty) => ty.to_token_stream(),
        Stored::Text(text) => quote_spanned!(text.span()=> #private::String),
        Stored::List(item) => quote_spanned!(item.span()=> #private::Vec<#item>),
    }
}

/// A row a parameter, with what reads it where `Deserialize` does not.
//
// Input:  #[arg(range(1..=14), default = 3)] days: u8
// Output: parameter_or::<u8>("days", "").details(const { &Details::new().default(..).range(..) })
pub(super) fn parameters(tool: &Tool) -> impl Iterator<Item = TokenStream> {
    tool.arguments().map(move |(input, argument)| {
        let (cfgs, row, details) = (&input.cfgs, row(argument), details(argument));
        quote!(#(#cfgs)* #row #details,)
    })
}

fn row(argument: &Argument) -> TokenStream {
    let (ty, details) = (stored(argument, &quote!(__private)), &argument.details);
    let name = argument.name();
    let description = match &argument.description {
        Some(description) => description.to_token_stream(),
        None => quote!(""),
    };
    let schema = details.schema.as_ref().map(schema).into_iter();
    let (kind, read) = match (&details.decode, &details.schema) {
        (Some(_), _) => ("parameter_with", reader_ident(argument).into_token_stream()),
        (None, Some(_)) => ("parameter_as", ty.clone()),
        (None, None) => ("parameter", ty.clone()),
    };
    let or = details.default.as_ref().map_or("", |_| "_or");
    let row = Ident::new(&format!("{kind}{or}"), ty.span());
    quote_spanned!(ty.span()=> __private::#row::<#read>(#name, #description #(, #schema)*))
}

fn schema(schema: &Schema) -> TokenStream {
    match schema {
        Schema::Function(function) => {
            let private = quote!(__private::schemars);
            let ty = quote!(fn(&mut #private::SchemaGenerator) -> #private::Schema);
            coerced(function, &ty)
        }
        Schema::Type(ty) => {
            quote_spanned!(ty.span()=> <#ty as __private::schemars::JsonSchema>::json_schema)
        }
    }
}

/// The types that stand for what reads an argument in place of `Deserialize`.
//
// Input:  #[serde(with = "unix_time")] #[schemars(with = "i64")] at: SystemTime
// Output: struct __read_at;
//         impl Decode for __read_at { type Value = SystemTime; fn decode(..) { unix_time::deserialize(..) } }
pub(super) fn readers(tool: &Tool) -> impl Iterator<Item = TokenStream> {
    tool.arguments().filter_map(|(input, argument)| {
        let function = &argument.details.decode.as_ref()?.function;
        let (cfgs, reader) = (&input.cfgs, reader_ident(argument));
        let ty = stored(argument, &quote!(__private));
        let deserializer = Ident::new("deserializer", Span::mixed_site());
        let body = quote_spanned!(function.span()=> #function(#deserializer));
        let result = quote!(::core::result::Result<#ty, __D::Error>);
        let result = located_at(ty.span(), result);
        Some(quote! {
            #(#cfgs)*
            #[allow(non_camel_case_types)]
            struct #reader;
            #(#cfgs)*
            impl __private::Decode for #reader {
                type Value = #ty;
                fn decode<'de, __D: __private::serde::Deserializer<'de>>(
                    #deserializer: __D,
                ) -> #result {
                    #body
                }
            }
        })
    })
}

fn reader_ident(argument: &Argument) -> Ident {
    format_ident!("__read_{}", argument.ident.unraw())
}

pub(super) fn needed(tool: &Tool) -> impl Iterator<Item = TokenStream> {
    tool.injected().map(move |(input, ty)| {
        let cfgs = &input.cfgs;
        let row = quote_spanned!(ty.span()=> __private::needed::<#ty>());
        quote!(#(#cfgs)* #row,)
    })
}
