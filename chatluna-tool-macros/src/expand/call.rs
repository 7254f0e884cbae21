//! Expand: from the arguments' text to a call of the function.

use super::arguments::stored;
use super::{hook, located_at, optional};
use crate::argument::DefaultValue;
use crate::attribute::KeyOf;
use crate::model::Tool;
use crate::signature::{Argument, Kind, Stored};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// Fills one slot an argument and hands the struct to the runtime.
//
// Output:
//   |input| {
//       let mut slot_0 = None::<i64>;
//       input.read(&mut [&mut slot_0])?;
//       prepared(add_arguments { a: filled(slot_0)? }, const { &Hooks { .. } })
//   }
pub(super) fn prepare(tool: &Tool) -> TokenStream {
    let arguments = tool.arguments_ident();
    let input = Ident::new("input", Span::mixed_site());
    let slots: Vec<Ident> = (0..tool.arguments().count())
        .map(|index| format_ident!("slot_{index}", span = Span::mixed_site()))
        .collect();
    let rows = || tool.arguments().zip(&slots);
    let declared = rows().map(|((input, argument), slot)| {
        let (cfgs, ty) = (&input.cfgs, stored(argument, &quote!(__private)));
        quote!(#(#cfgs)* let mut #slot = ::core::option::Option::None::<#ty>;)
    });
    let listed = rows().map(|((input, _), slot)| {
        let cfgs = &input.cfgs;
        quote!(#(#cfgs)* &mut #slot,)
    });
    let taken = rows().map(|((input, argument), slot)| {
        let (cfgs, ident) = (&input.cfgs, &argument.ident);
        let value = filled(argument, slot);
        quote!(#(#cfgs)* #ident: #value,)
    });
    let hooks = hooks(tool);
    // Arguments that threads cannot pass on are the function's fault.
    let prepared = quote!(__private::prepared(#arguments { #(#taken)* }, const { &#hooks }));
    let prepared = located_at(tool.signature.ident.span(), prepared);
    quote! {
        |#input| {
            #(#declared)*
            #input.read(&mut [#(#listed)*])?;
            #prepared
        }
    }
}

/// What the slot holds, or else the default.
//
// Input:  #[arg(default = "en")] language: String
// Output: filled_or(slot_1, || Into::into("en"))
fn filled(argument: &Argument, slot: &Ident) -> TokenStream {
    let default = match &argument.details.default {
        None => return quote!(__private::filled(#slot)?),
        Some(DefaultValue::OfType(key)) => {
            located_at(*key, quote!(|| ::core::default::Default::default()))
        }
        Some(DefaultValue::Function(function)) => {
            located_at(function.span(), quote!(|| #function()))
        }
        Some(default @ DefaultValue::Value(value)) => match default.text() {
            Some(text) => located_at(text.span(), quote!(|| ::core::convert::Into::into(#text))),
            None => quote!(|| #value),
        },
    };
    quote!(__private::filled_or(#slot, #default))
}

fn hooks(tool: &Tool) -> TokenStream {
    let arguments = tool.arguments_ident();
    let ty = quote!(fn(&#arguments) -> __private::Permission);
    let permission = hook(tool.attribute.permission.as_ref(), &ty);
    let key = optional(key(tool));
    let run = run(tool);
    quote!(__private::Hooks::<#arguments> { permission: #permission, key: #key, run: #run })
}

/// What calls that wait for each other have in common, as text.
//
// Input:  traits(key = city)
// Output: |arguments| key_of(arguments, |arguments| &arguments.city)
fn key(tool: &Tool) -> Option<TokenStream> {
    let arguments = Ident::new("arguments", Span::mixed_site());
    let key = match tool.attribute.key.as_ref()? {
        KeyOf::Argument(key) => quote_spanned!(key.span()=> |#arguments| &#arguments.#key),
        KeyOf::Function(function) => function.to_token_stream(),
    };
    let key_of = quote_spanned!(key.span()=> __private::key_of(#arguments, #key));
    Some(quote!(|#arguments| #key_of))
}

/// Calls the function with the arguments and what is injected.
//
// Output: |arguments, call| asynchronous(async move { (__OUTPUT.convert)(add(arguments.a, ..).await) })
fn run(tool: &Tool) -> TokenStream {
    let arguments = Ident::new("arguments", Span::mixed_site());
    let call = Ident::new("call", Span::mixed_site());
    let function = function(tool);
    let is_async = tool.signature.asyncness.is_some();
    // A future keeps the call it borrows from; a thread is lent it.
    let borrowed = if is_async {
        quote!(&#call)
    } else {
        quote!(#call)
    };
    let values = tool.inputs.iter().map(|input| {
        let cfgs = &input.cfgs;
        match &input.kind {
            Kind::Argument(argument) => {
                let ident = &argument.ident;
                let lent = match argument.stored {
                    Stored::Value(_) => None,
                    Stored::Text(_) | Stored::List(_) => Some(quote!(&)),
                };
                quote!(#(#cfgs)* #lent #arguments.#ident,)
            }
            Kind::Injected(_) => quote!(#(#cfgs)* __private::injected(#borrowed)?,),
        }
    });
    let called = quote!(#function(#(#values)*));
    let whole = quote!(let _ = (&#arguments, #borrowed););
    if is_async {
        let body = quote!({ #whole (__OUTPUT.convert)(#called.await) });
        // A future that threads cannot pass on is the function's fault.
        let future = quote!(__private::asynchronous(async move #body));
        let future = located_at(tool.signature.ident.span(), future);
        quote!(|#arguments, #call| #future)
    } else {
        let body = quote!({ #whole (__OUTPUT.convert)(#called) });
        quote!(|#arguments, #call| __private::blocking(#call, move |#call| #body))
    }
}

/// The path of the function.
fn function(tool: &Tool) -> TokenStream {
    let function = &tool.signature.ident;
    match &tool.owner {
        Some(owner) => quote!(<#owner>::#function),
        None => function.to_token_stream(),
    }
}
