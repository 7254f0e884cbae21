//! Expand: data plus one call. Nothing can fail here.

use crate::check::joined;
use crate::function::Function;
use crate::model::{Name, Tool};
use crate::signature::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Visibility, parse_quote};

/// The function and the errors.
pub(crate) fn fallback(function: &Function, errors: &TokenStream) -> TokenStream {
    quote!(#function #errors)
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
//   const _: () = {
//       struct add_arguments { a: i64, b: i64 }
//       const __OUTPUT: Output<i64> = output::<i64>();
//       static __TOOL: ToolRegistration = ToolRegistration { action: "tool:add", .. };
//       register!(&__TOOL);
//   };
pub(crate) fn expand(tool: &Tool, function: &Function) -> TokenStream {
    let private = private(tool);
    let arguments = arguments(tool, function);
    let (outer, inner) = match tool.attribute.args {
        Some(_) => (Some(arguments), None),
        None => (None, Some(arguments)),
    };
    let name_check = name_check(tool, &private);
    let registration = registration(tool, &private);
    let output = &tool.output;
    let output_row = quote_spanned!(output.span()=> #private::output::<#output>());
    quote! {
        #function
        #outer
        const _: () = {
            #inner
            #name_check
            const __OUTPUT: #private::Output<#output> = #output_row;
            static __TOOL: #private::ToolRegistration = #registration;
            #private::register!(&__TOOL);
        };
    }
}

/// The only path that generated code starts from.
fn private(tool: &Tool) -> TokenStream {
    match &tool.attribute.krate {
        Some(path) => quote!(#path::__private),
        None => quote!(::chatluna_tool::__private),
    }
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
    let fields = tool.arguments().map(|(input, argument)| {
        let (cfgs, ident, ty) = (&input.cfgs, &argument.ident, &argument.ty);
        let doc = format!(" The argument `{}`.", argument.name());
        quote!(#(#cfgs)* #[doc = #doc] #visibility #ident: #ty,)
    });
    let doc = format!(" The arguments of the tool `{}`.", tool.signature.ident);
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #visibility struct #ident { #(#fields)* }
    }
}

/// A const name is checked when the user's crate is compiled.
fn name_check(tool: &Tool, private: &TokenStream) -> Option<TokenStream> {
    let Name::Const(name) = &tool.name else {
        return None;
    };
    let prefix = tool.prefix();
    let check = quote_spanned!(name.span()=> #private::check_name(#prefix, #name));
    Some(quote!(const _: () = #check;))
}

fn registration(tool: &Tool, private: &TokenStream) -> TokenStream {
    let action = action(tool, private);
    let title = optional(tool.attribute.title.as_ref());
    let description = &tool.description;
    let traits = traits(tool, private);
    let parameters = parameters(tool, private);
    let needed = needed(tool, private);
    let visibility = optional(tool.attribute.visibility.as_ref());
    let prepare = prepare(tool, private);
    let origin = origin(tool, private);
    quote! {
        #private::ToolRegistration {
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
fn action(tool: &Tool, private: &TokenStream) -> TokenStream {
    let prefix = tool.prefix();
    match &tool.name {
        Name::Known(name, _) => {
            let action = format!("tool:{}", joined(&prefix, name));
            quote!(#action)
        }
        Name::Const(name) => quote! {{
            const __ACTION: [::core::primitive::u8; #private::action_len(#prefix, #name)] =
                #private::action_bytes(#prefix, #name);
            #private::action_str(&__ACTION)
        }},
    }
}

fn optional(value: Option<&syn::Expr>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn traits(tool: &Tool, private: &TokenStream) -> TokenStream {
    let attribute = &tool.attribute;
    let parallel = attribute.parallel.then(|| quote!(.parallel()));
    let effect = attribute.effect.as_ref().map(|effect| {
        let variant = match effect.value().as_str() {
            "read" => "Read",
            "write" => "Write",
            _ => "Exec",
        };
        let variant = Ident::new(variant, Span::mixed_site());
        quote!(.effect(#private::Effect::#variant))
    });
    let timeout = attribute
        .timeout
        .as_ref()
        .map(|count| quote!(.timeout(#private::milliseconds(#count))));
    quote!(#private::Traits::new() #parallel #effect #timeout)
}

fn parameters<'a>(
    tool: &'a Tool,
    private: &'a TokenStream,
) -> impl Iterator<Item = TokenStream> + 'a {
    tool.arguments().map(move |(input, argument)| {
        let (cfgs, ty) = (&input.cfgs, &argument.ty);
        let (name, description) = (argument.name(), &argument.description);
        let row = quote_spanned!(ty.span()=> #private::parameter::<#ty>(#name, #description));
        quote!(#(#cfgs)* #row,)
    })
}

fn needed<'a>(tool: &'a Tool, private: &'a TokenStream) -> impl Iterator<Item = TokenStream> + 'a {
    tool.inputs.iter().filter_map(move |input| {
        let Kind::Injected(ty) = &input.kind else {
            return None;
        };
        let cfgs = &input.cfgs;
        let row = quote_spanned!(ty.span()=> #private::needed::<#ty>());
        Some(quote!(#(#cfgs)* #row,))
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
fn prepare(tool: &Tool, private: &TokenStream) -> TokenStream {
    let arguments = tool.arguments_ident();
    let slots: Vec<Ident> = (0..tool.arguments().count())
        .map(|index| format_ident!("slot_{index}", span = Span::mixed_site()))
        .collect();
    let rows = || tool.arguments().zip(&slots);
    let declared = rows().map(|((input, argument), slot)| {
        let (cfgs, ty) = (&input.cfgs, &argument.ty);
        quote!(#(#cfgs)* let mut #slot = ::core::option::Option::None::<#ty>;)
    });
    let listed = rows().map(|((input, _), slot)| {
        let cfgs = &input.cfgs;
        quote!(#(#cfgs)* &mut #slot,)
    });
    let taken = rows().map(|((input, argument), slot)| {
        let (cfgs, ident) = (&input.cfgs, &argument.ident);
        quote!(#(#cfgs)* #ident: #private::filled(#slot)?,)
    });
    let permission = optional(tool.attribute.permission.as_ref());
    let run = run(tool, private);
    quote! {
        |input| {
            #(#declared)*
            input.read(&mut [#(#listed)*])?;
            #private::prepared(
                #arguments { #(#taken)* },
                const { &#private::Hooks::<#arguments> { permission: #permission, run: #run } },
            )
        }
    }
}

/// Calls the function with the arguments and what is injected.
//
// Output: |arguments, call| asynchronous(async move { (__OUTPUT.convert)(add(arguments.a, ..).await) })
fn run(tool: &Tool, private: &TokenStream) -> TokenStream {
    let arguments = Ident::new("arguments", Span::mixed_site());
    let call = Ident::new("call", Span::mixed_site());
    let function = &tool.signature.ident;
    let values = tool.inputs.iter().map(|input| {
        let cfgs = &input.cfgs;
        match &input.kind {
            Kind::Argument(argument) => {
                let ident = &argument.ident;
                quote!(#(#cfgs)* #arguments.#ident,)
            }
            Kind::Injected(_) => quote!(#(#cfgs)* #private::injected(#call)?,),
        }
    });
    let called = quote!(#function(#(#values)*));
    if tool.signature.asyncness.is_some() {
        quote!(|#arguments, #call| #private::asynchronous(async move {
            let (_, #call) = (&#arguments, &#call);
            (__OUTPUT.convert)(#called.await)
        }))
    } else {
        quote!(|#arguments, #call| #private::blocking(#call, move |#call| {
            let _ = (&#arguments, #call);
            (__OUTPUT.convert)(#called)
        }))
    }
}

/// Where the function is written, for errors of the runtime.
fn origin(tool: &Tool, private: &TokenStream) -> TokenStream {
    let ident = &tool.signature.ident;
    let function = tool.signature.ident.to_string();
    let function = function.trim_start_matches("r#");
    quote_spanned! {ident.span()=>
        #private::Origin::new(
            ::core::module_path!(),
            #function,
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        )
    }
}

/// `crate = ..` of a serde or schemars attribute takes a string.
pub(crate) fn path_text(path: &syn::Path) -> String {
    let path: syn::Path = parse_quote!(#path);
    quote!(#path).to_string().replace(' ', "")
}
