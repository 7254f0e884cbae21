//! `Self` in what is taken out of an `impl` block.

use crate::expand::located_at;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{PathArguments, Type};

/// The tokens with the owner in place of `Self`, also inside groups.
//
// Input:  filter: Self, limit: [u8; Self::MAX]
// Output: filter: Db, limit: [u8; <Db>::MAX]
pub(crate) fn without_self(tokens: TokenStream, owner: &Type) -> TokenStream {
    replaced(tokens, &turbofish(owner.clone()).into_token_stream())
}

/// `Db::<u8>`, which is a type and also the start of an expression.
fn turbofish(mut owner: Type) -> Type {
    if let Type::Path(path) = &mut owner {
        for segment in &mut path.path.segments {
            if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                arguments.colon2_token.get_or_insert_default();
            }
        }
    }
    owner
}

fn replaced(tokens: TokenStream, owner: &TokenStream) -> TokenStream {
    let mut all = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "Self" => {
                let begins_path =
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                all.extend(named(&word, owner, begins_path));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), owner));
                inner.set_span(group.span());
                all.extend([TokenTree::Group(inner)]);
            }
            other => all.extend([other]),
        }
    }
    all
}

/// The owner at the place of the `Self`.
fn named(word: &Ident, owner: &TokenStream, begins_path: bool) -> TokenStream {
    let owner = if begins_path {
        quote!(<#owner>)
    } else {
        owner.clone()
    };
    located_at(word.span(), owner)
}

#[cfg(test)]
mod tests {
    use super::without_self;
    use proc_macro2::TokenStream;
    use quote::quote;
    use syn::parse_quote;

    #[test]
    fn self_becomes_its_type_in_types_paths_and_groups() {
        let tokens = quote!(fn f(&self, a: Vec<Self>, b: [u8; Self::MAX]) -> Self);
        let expected =
            quote!(fn f(&self, a: Vec<my::Db::<u8>>, b: [u8; <my::Db::<u8>>::MAX]) -> my::Db::<u8>);
        let replaced = without_self(tokens, &parse_quote!(my::Db<u8>));
        // `>>` is one token where it is written, and two where it comes about.
        let text = |tokens: TokenStream| tokens.to_string().replace(' ', "");
        assert_eq!(text(replaced), text(expected));
    }
}
