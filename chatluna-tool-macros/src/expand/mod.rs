//! Expand: data plus one call. Nothing can fail here.

mod arguments;
mod call;
mod details;
mod hints;

use crate::attribute::{Attribute, Prefix};
use crate::check::{bytes, has_sound_signature, joined, milliseconds};
use crate::function::Function;
use crate::model::{Name, Tool};
use crate::signature::lints;
use arguments::{arguments, needed, parameters, readers};
use call::prepare;
use details::checks;
use hints::hints;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Type};

/// The function and the errors, and the struct that `args` names, for others name it too.
pub(crate) fn fallback(tool: &Tool, function: &Function, errors: &TokenStream) -> TokenStream {
    let arguments = named_arguments(tool, function);
    quote!(#function #arguments #errors)
}

/// The struct that `args` names, if the signature allows for one.
pub(crate) fn named_arguments(tool: &Tool, function: &Function) -> Option<TokenStream> {
    let is_named = tool.attribute.args.is_some() && has_sound_signature(tool);
    is_named.then(|| arguments(tool, function))
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
//   const __chatluna_tool_add: &ToolRegistration = {
//       struct add_arguments { a: i64, b: i64 }
//       const __OUTPUT: Output<i64> = output::<i64>();
//       static __TOOL: ToolRegistration = ToolRegistration { action: "tool:add", .. };
//       register!(&__TOOL);
//       &__TOOL
//   };
pub(crate) fn expand(tool: &Tool, function: &Function) -> TokenStream {
    let (beside, hidden) = (beside(tool, function), hidden_item(tool, function));
    quote!(#function #beside #hidden)
}

/// What stands outside of an `impl` block: the struct that `args` names, and the checks by rustc.
pub(crate) fn beside(tool: &Tool, function: &Function) -> TokenStream {
    let named = tool
        .attribute
        .args
        .as_ref()
        .map(|_| arguments(tool, function));
    let (name_check, checks) = (name_check(tool), checks(tool));
    quote!(#named #name_check #(#checks)*)
}

/// The value that `tools!` finds, with all that nobody else shall see inside.
pub(crate) fn hidden_item(tool: &Tool, function: &Function) -> TokenStream {
    let (cfgs, visibility, private) = (&tool.cfgs, &function.visibility, private(&tool.attribute));
    let hidden = hidden(&tool.signature.ident);
    let inner = tool
        .attribute
        .args
        .is_none()
        .then(|| arguments(tool, function));
    let (readers, name, output) = (readers(tool), name(tool), output(tool));
    let registration = registration(tool);
    let lints = lints(&function.attributes);
    quote! {
        // Without link-time registration, nothing but `tools!` uses it. A deprecated function is
        // still a tool.
        #(#cfgs)*
        #(#lints)*
        #[doc(hidden)]
        #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
        #visibility const #hidden: &'static #private::ToolRegistration = {
            use #private as __private;
            #inner
            #(#readers)*
            #name
            #output
            static __TOOL: __private::ToolRegistration = #registration;
            __private::register!(&__TOOL);
            &__TOOL
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

/// The value inside a toolset that `tools![path::*]` finds.
pub(crate) fn hidden_list(place: Span) -> Ident {
    Ident::new("__chatluna_toolset", place)
}

/// The tools of a toolset.
//
// Output: pub const __chatluna_toolset: &'static [&'static ToolRegistration] = &[Self::__chatluna_tool_find];
pub(crate) fn list(tools: &[Tool], toolset: &Attribute) -> TokenStream {
    let (private, list) = (private(toolset), hidden_list(Span::call_site()));
    let rows = tools.iter().map(|tool| {
        let (cfgs, hidden) = (&tool.cfgs, hidden(&tool.signature.ident));
        let owner = tool.owner.as_ref().map(|_| quote!(Self::));
        quote!(#(#cfgs)* #owner #hidden,)
    });
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
        pub const #list: &'static [&'static #private::ToolRegistration] = &[#(#rows)*];
    }
}

/// The only path that generated code starts from.
fn private(attribute: &Attribute) -> TokenStream {
    match &attribute.krate {
        Some(path) => quote!(#path::__private),
        None => quote!(::chatluna_tool::__private),
    }
}

/// The same tokens, but errors about them are shown at `place`.
pub(crate) fn located_at(place: Span, tokens: TokenStream) -> TokenStream {
    let relocate = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(relocate).collect()
}

/// A name that only rustc knows whole is checked when the user's crate is compiled.
fn name_check(tool: &Tool) -> Option<TokenStream> {
    let span = tool.const_span()?;
    let (private, cfgs) = (private(&tool.attribute), &tool.cfgs);
    let (name, prefix) = (name(tool), prefix(tool));
    let check = located_at(span, quote!(__private::check_name(#prefix, __NAME)));
    Some(quote! {
        #(#cfgs)*
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
    let hints = hints(&tool.attribute);
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
            hints: #hints,
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

fn optional(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// The hook as a function pointer.
fn hook(value: Option<&Expr>, ty: &TokenStream) -> TokenStream {
    optional(value.map(|value| coerced(value, ty)))
}

/// A function as a pointer of this type. A wrong one is an error on the function and nowhere else.
fn coerced(function: &(impl ToTokens + Spanned), ty: &TokenStream) -> TokenStream {
    let pointer = Ident::new("hook", Span::mixed_site());
    let ty = located_at(function.span(), ty.clone());
    quote!({ let #pointer: #ty = #function; #pointer })
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
    let background = attribute.background.as_ref();
    let background = background.map(|goes_on| quote!(.background(#goes_on)));
    let cap = attribute.output_cap.as_ref();
    let cap = cap.and_then(|cap| bytes(cap).ok());
    let cap = cap.map(|bytes| quote!(.output_cap(#bytes)));
    quote!(__private::Traits::new() #parallel #effect #timeout #background #cap)
}

/// Where the function is written, for errors of the runtime.
fn origin(tool: &Tool) -> TokenStream {
    let ident = &tool.signature.ident;
    let function = match &tool.owner {
        Some(owner) => format!("{}::{}", spelt(owner), ident.unraw()),
        None => ident.unraw().to_string(),
    };
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

/// The type as people write it, without the path to it.
fn spelt(ty: &Type) -> String {
    let last = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let text = last.map_or_else(|| ty.to_token_stream(), ToTokens::to_token_stream);
    let joints = [
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" :: ", "::"),
        ("& ", "&"),
    ];
    let join = |text: String, (loose, tight): (&str, &str)| text.replace(loose, tight);
    joints.into_iter().fold(text.to_string(), join)
}
