//! `tools![..]`: from the path of each function to the value beside it.

use crate::expand::hidden;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, Path, Result, Token};

// Input:  weather, math::add
// Output: [&__chatluna_tool_weather, &math::__chatluna_tool_add]
pub(crate) fn expand(paths: TokenStream) -> TokenStream {
    let parser = Punctuated::<Path, Token![,]>::parse_terminated_with;
    let parser = move |input: ParseStream<'_>| parser(input, path);
    match parser.parse2(paths) {
        Ok(paths) => {
            let values = paths.into_iter().map(value);
            quote!([#(&#values),*])
        }
        Err(error) => error.into_compile_error(),
    }
}

fn path(input: ParseStream<'_>) -> Result<Path> {
    let path = input.call(Path::parse_mod_style);
    if let Some(star) = input.parse::<Option<Token![*]>>()? {
        let message = "`*` is not in this version of chatluna-tool; name the tools one by one";
        return Err(Error::new(star.span, message));
    }
    path.map_err(|error| {
        let message = "no path of a tool; write the paths of functions, such as `math::add`";
        Error::new(error.span(), message)
    })
}

/// The path with the name of the hidden value for its end.
fn value(mut path: Path) -> Path {
    if let Some(last) = path.segments.last_mut() {
        last.ident = hidden(&last.ident);
    }
    path
}
