//! Parse: the function below `#[tool]`. Its body stays unparsed tokens.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, FnArg, Result, Signature, Visibility};

/// The user's function.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    body: TokenStream,
}

impl Function {
    /// `Err` is what to expand to instead: the item as it was, with our error
    /// where rustc will not have one of its own.
    pub(crate) fn parse(item: TokenStream) -> std::result::Result<Self, TokenStream> {
        Self::parse_tokens.parse2(item.clone()).map_err(|_| {
            let error = not_a_function(&item).map(syn::Error::into_compile_error);
            quote!(#item #error)
        })
    }

    fn parse_tokens(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: input.parse()?,
        })
    }
}

/// An item that has no `fn` before its first braces is something else; a
/// function that does not parse is rustc's to explain.
fn not_a_function(item: &TokenStream) -> Option<syn::Error> {
    let head = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        Ok((attributes.len(), input.parse::<TokenStream>()?))
    };
    let (_, rest) = Parser::parse2(head, item.clone()).ok()?;
    let is_function = rest
        .clone()
        .into_iter()
        .any(|token| token.to_string() == "fn");
    let message = "`#[tool]` goes on a function; put it above an `async fn` or a `fn`";
    (!is_function).then(|| syn::Error::new_spanned(first(rest), message))
}

fn first(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().take(1).collect()
}

/// The function without the attributes that only `#[tool]` understands.
impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes);
        self.visibility.to_tokens(tokens);
        let mut signature = self.signature.clone();
        for input in &mut signature.inputs {
            if let FnArg::Typed(input) = input {
                input.attrs.retain(|attribute| !is_helper(attribute));
            }
        }
        signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// Whether rustc would refuse the attribute on a parameter.
pub(crate) fn is_helper(attribute: &Attribute) -> bool {
    ["arg", "doc", "schemars", "serde"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}

/// A whole item, for tests.
impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Self::parse_tokens(input)
    }
}
