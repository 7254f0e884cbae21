//! Expand: data plus one call. Nothing can fail here.

use crate::attribute::Prefix;
use crate::check::{has_sound_signature, joined, milliseconds};
use crate::function::Function;
use crate::model::{Name, Tool};
use crate::signature::{Argument, Kind, Stored};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Visibility, parse_quote};

/// The function and the errors, and the struct that `args` names, for others name it too.
pub(crate) fn fallback(tool: &Tool, function: &Function, errors: &TokenStream) -> TokenStream {
    let is_named = tool.attribute.args.is_some() && has_sound_signature(tool);
    let arguments = is_named.then(|| arguments(tool, function));
    quote!(#function #arguments #errors)
}

/// The function, and beside it what the runtime has to know.
//
// Input:
//   /// Adds two numbers
//   #[tool(traits(effect = "read"))]
//   async fn add(a: i64, b: i64) -> i64 { a + b }
//
// Output:
//   async fn add(a: i64, b: i64) -> i64 { a + b }
//   static __chatluna_tool_add: ToolRegistration = {
//       struct add_arguments { a: i64, b: i64 }
//       const __OUTPUT: Output<i64> = output::<i64>();
//       register!(&__chatluna_tool_add);
//       ToolRegistration { action: "tool:add", .. }
//   };
pub(crate) fn expand(tool: &Tool, function: &Function) -> TokenStream {
    let private = private(tool);
    let name_check = name_check(tool, &private);
    let arguments = arguments(tool, function);
    let (outer, inner) = match tool.attribute.args {
        Some(_) => (Some(arguments), None),
        None => (None, Some(arguments)),
    };
    let (visibility, hidden) = (&function.visibility, hidden(&tool.signature.ident));
    let name = name(tool);
    let output = output(tool);
    let registration = registration(tool);
    quote! {
        #function
        #outer
        #name_check
        // Without link-time registration, nothing but `tools!` uses it. A deprecated function is
        // still a tool.
        #[doc(hidden)]
        #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
        #visibility static #hidden: #private::ToolRegistration = {
            use #private as __private;
            #inner
            #name
            #output
            __private::register!(&#hidden);
            #registration
        };
    }
}

/// The value beside a tool's function that `tools!` finds.
pub(crate) fn hidden(function: &Ident) -> Ident {
    format_ident!(
        "__chatluna_tool_{}",
        function.unraw(),
        span = function.span()
    )
}

/// The only path that generated code starts from.
fn private(tool: &Tool) -> TokenStream {
    match &tool.attribute.krate {
        Some(path) => quote!(#path::__private),
        None => quote!(::chatluna_tool::__private),
    }
}

/// The same tokens, but errors about them are shown at `place`.
fn located_at(place: Span, tokens: TokenStream) -> TokenStream {
    let relocate = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(relocate).collect()
}

/// The struct that hooks see. It derives nothing.
//
// Input:  async fn deploy(env: String, call: &CallContext)
// Output: struct deploy_arguments { env: String }
fn arguments(tool: &Tool, function: &Function) -> TokenStream {
    let ident = tool.arguments_ident();
    let visibility = match tool.attribute.args {
        Some(_) => function.visibility.clone(),
        None => Visibility::Inherited,
    };
    let private = private(tool);
    let fields = tool.arguments().map(|(input, argument)| {
        let (cfgs, ident) = (&input.cfgs, &argument.ident);
        let ty = stored(argument, &private);
        let doc = format!(" The argument `{}`.", argument.name());
        quote!(#(#cfgs)* #[doc = #doc] #visibility #ident: #ty,)
    });
    let doc = format!(" The arguments of `{}`.", tool.signature.ident.unraw());
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #visibility struct #ident { #(#fields)* }
    }
}

/// The type that holds an argument until the function is called.
fn stored(argument: &Argument, private: &TokenStream) -> TokenStream {
    match &argument.stored {
        Stored::Value(ty) => ty.to_token_stream(),
        Stored::Text(text) => quote_spanned!(text.span()=> #private::String),
        Stored::List(item) => quote_spanned!(item.span()=> #private::Vec<#item>),
    }
}

/// A name that only rustc knows whole is checked when the user's crate is compiled.
fn name_check(tool: &Tool, private: &TokenStream) -> Option<TokenStream> {
    let span = tool.const_span()?;
    let (name, prefix) = (name(tool), prefix(tool));
    let check = located_at(span, quote!(__private::check_name(#prefix, __NAME)));
    Some(quote! {
        const _: () = {
            use #private as __private;
            #name
            #check
        };
    })
}

/// A const name of the wrong type is an error once, not at each of its uses.
fn name(tool: &Tool) -> Option<TokenStream> {
    tool.const_span()?;
    let name = match &tool.name {
        Name::Known(name, _) => name.to_token_stream(),
        Name::Const(name) => name.to_token_stream(),
    };
    Some(quote!(const __NAME: &::core::primitive::str = #name;))
}

fn prefix(tool: &Tool) -> TokenStream {
    match tool.attribute.prefix {
        Some(Prefix::Module(_)) => {
            quote!(__private::module_prefix(::core::module_path!(), __NAME))
        }
        _ => tool.prefix().to_token_stream(),
    }
}

/// The one place where something is asked of the return type.
fn output(tool: &Tool) -> TokenStream {
    let output = &tool.output;
    let row = quote_spanned!(output.span()=> __private::output::<#output>());
    quote!(const __OUTPUT: __private::Output<#output> = #row;)
}

fn registration(tool: &Tool) -> TokenStream {
    let action = action(tool);
    let title = optional(tool.attribute.title.as_ref());
    let description = &tool.description;
    let traits = traits(tool);
    let parameters = parameters(tool);
    let needed = needed(tool);
    let ty = quote!(fn(&__private::SessionInfo) -> ::core::primitive::bool);
    let visibility = hook(tool.attribute.visibility.as_ref(), &ty);
    let prepare = prepare(tool);
    let origin = origin(tool);
    quote! {
        __private::ToolRegistration {
            action: #action,
            title: #title,
            description: #description,
            traits: #traits,
            parameters: &[#(#parameters)*],
            needed: &[#(#needed)*],
            output_schema: __OUTPUT.schema,
            visibility: #visibility,
            prepare: #prepare,
            origin: #origin,
        }
    }
}

/// `tool:` and the name, joined here or by rustc.
fn action(tool: &Tool) -> TokenStream {
    match &tool.name {
        Name::Known(name, _) if tool.const_span().is_none() => {
            let action = format!("tool:{}", joined(&tool.prefix(), name));
            quote!(#action)
        }
        _ => {
            let prefix = prefix(tool);
            quote! {{
                const __PREFIX: &::core::primitive::str = #prefix;
                const __ACTION: [::core::primitive::u8; __private::action_len(__PREFIX, __NAME)] =
                    __private::action_bytes(__PREFIX, __NAME);
                __private::action_str(&__ACTION)
            }}
        }
    }
}

fn optional(value: Option<&Expr>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// The hook as a function pointer. A wrong one is an error on the hook and nowhere else.
fn hook(value: Option<&Expr>, ty: &TokenStream) -> TokenStream {
    let pointer = Ident::new("hook", Span::mixed_site());
    let coerced: Option<Expr> = value.map(|value| {
        let ty = located_at(value.span(), ty.clone());
        parse_quote!({ let #pointer: #ty = #value; #pointer })
    });
    optional(coerced.as_ref())
}

fn traits(tool: &Tool) -> TokenStream {
    let attribute = &tool.attribute;
    let parallel = attribute.parallel.then(|| quote!(.parallel()));
    let effect = attribute.effect.as_ref().map(|effect| {
        let variant = match effect.value().as_str() {
            "read" => quote!(Read),
            "write" => quote!(Write),
            _ => quote!(Exec),
        };
        quote!(.effect(__private::Effect::#variant))
    });
    let timeout = attribute
        .timeout
        .as_ref()
        .and_then(|timeout| milliseconds(timeout).ok());
    let timeout = timeout.map(|count| quote!(.timeout(__private::milliseconds(#count))));
    quote!(__private::Traits::new() #parallel #effect #timeout)
}

fn parameters(tool: &Tool) -> impl Iterator<Item = TokenStream> {
    tool.arguments().map(move |(input, argument)| {
        let (cfgs, ty) = (&input.cfgs, stored(argument, &quote!(__private)));
        let name = argument.name();
        let description = match &argument.description {
            Some(description) => description.to_token_stream(),
            None => quote!(""),
        };
        let row = quote_spanned!(ty.span()=> __private::parameter::<#ty>(#name, #description));
        quote!(#(#cfgs)* #row,)
    })
}

fn needed(tool: &Tool) -> impl Iterator<Item = TokenStream> {
    tool.injected().map(move |(input, ty)| {
        let cfgs = &input.cfgs;
        let row = quote_spanned!(ty.span()=> __private::needed::<#ty>());
        quote!(#(#cfgs)* #row,)
    })
}

/// Fills one slot an argument and hands the struct to the runtime.
//
// Output:
//   |input| {
//       let mut slot_0 = None::<i64>;
//       input.read(&mut [&mut slot_0])?;
//       prepared(add_arguments { a: filled(slot_0)? }, const { &Hooks { .. } })
//   }
fn prepare(tool: &Tool) -> TokenStream {
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
        quote!(#(#cfgs)* #ident: __private::filled(#slot)?,)
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

fn hooks(tool: &Tool) -> TokenStream {
    let arguments = tool.arguments_ident();
    let ty = quote!(fn(&#arguments) -> __private::Permission);
    let permission = hook(tool.attribute.permission.as_ref(), &ty);
    let run = run(tool);
    quote!(__private::Hooks::<#arguments> { permission: #permission, run: #run })
}

/// Calls the function with the arguments and what is injected.
//
// Output: |arguments, call| asynchronous(async move { (__OUTPUT.convert)(add(arguments.a, ..).await) })
fn run(tool: &Tool) -> TokenStream {
    let arguments = Ident::new("arguments", Span::mixed_site());
    let call = Ident::new("call", Span::mixed_site());
    let function = &tool.signature.ident;
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
        let future = located_at(function.span(), future);
        quote!(|#arguments, #call| #future)
    } else {
        let body = quote!({ #whole (__OUTPUT.convert)(#called) });
        quote!(|#arguments, #call| __private::blocking(#call, move |#call| #body))
    }
}

/// Where the function is written, for errors of the runtime.
fn origin(tool: &Tool) -> TokenStream {
    let ident = &tool.signature.ident;
    let function = ident.unraw().to_string();
    quote_spanned! {ident.span()=>
        __private::Origin::new(
            ::core::module_path!(),
            #function,
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        )
    }
}
