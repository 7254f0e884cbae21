//! `tools![..]`: from the path of each function to the value beside it.

use crate::expand::{hidden, hidden_list};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{AngleBracketedGenericArguments, Error, Path, PathArguments, PathSegment, Result, Token};

// Input:  weather, math::add
// Output: [__chatluna_tool_weather, math::__chatluna_tool_add]
//
// Input:  weather, text::*
// Output: [&[__chatluna_tool_weather] as &[_], text::__chatluna_toolset].concat()
pub(crate) fn expand(paths: TokenStream) -> TokenStream {
    let parser = Punctuated::<Entry, Token![,]>::parse_terminated;
    let entries = match parser.parse2(paths) {
        Ok(entries) => entries,
        Err(error) => return error.into_compile_error(),
    };
    if entries.iter().any(|entry| matches!(entry, Entry::Set(_))) {
        let lists = entries.into_iter().map(Entry::list);
        return quote!([#(#lists),*].concat());
    }
    let values = entries.into_iter().map(Entry::value);
    quote!([#(#values),*])
}

enum Entry {
    /// `math::add`
    Tool(Path),
    /// `text::*`, without the star
    Set(Path),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![*]) {
            let message = "`*` needs the path of a toolset; write `text::*`";
            return Err(input.error(message));
        }
        let mut path = Path {
            leading_colon: input.parse()?,
            segments: Punctuated::new(),
        };
        loop {
            path.segments.push_value(segment(input)?);
            let Some(colons) = input.parse()? else {
                return Ok(Self::Tool(path));
            };
            if input.parse::<Option<Token![*]>>()?.is_some() {
                return Ok(Self::Set(path));
            }
            path.segments.push_punct(colons);
        }
    }
}

fn segment(input: ParseStream<'_>) -> Result<PathSegment> {
    let ident = input.call(Ident::parse_any).map_err(|error| {
        let message = "no path of a tool; write the paths of functions, such as `math::add`";
        Error::new(error.span(), message)
    })?;
    let mut segment = PathSegment::from(ident);
    if input.peek(Token![::]) && input.peek3(Token![<]) {
        let arguments = AngleBracketedGenericArguments::parse_turbofish(input)?;
        segment.arguments = PathArguments::AngleBracketed(arguments);
    }
    Ok(segment)
}

impl Entry {
    /// The registration.
    fn value(self) -> TokenStream {
        let (Self::Tool(mut path) | Self::Set(mut path)) = self;
        if let Some(last) = path.segments.last_mut() {
            last.ident = hidden(&last.ident);
        }
        path.into_token_stream()
    }

    /// A slice of registrations.
    fn list(self) -> TokenStream {
        match self {
            Self::Tool(_) => {
                let value = self.value();
                quote!(&[#value] as &[_])
            }
            Self::Set(path) => {
                let last = path.segments.last().map(|last| last.ident.span());
                let list = hidden_list(last.unwrap_or_else(Span::call_site));
                quote!(#path::#list)
            }
        }
    }
}
