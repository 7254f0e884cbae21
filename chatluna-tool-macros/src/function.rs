//! Parse: the function below `#[tool]`. Its body stays unparsed tokens.

use crate::argument;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, FnArg, Result, Signature, Visibility};

/// What may stand before `fn`.
const QUALIFIERS: &[&str] = &["async", "const", "extern", "safe", "unsafe"];

/// The user's function.
#[derive(Clone)]
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
        let parse = |input: ParseStream<'_>| {
            let attributes = input.call(Attribute::parse_outer)?;
            let head = Self::parse_head(attributes, input)?;
            Ok(head.with_body(input.parse()?))
        };
        Parser::parse2(parse, item.clone()).map_err(|_| {
            let error = not_a_function(&item).map(Error::into_compile_error);
            quote!(#item #error)
        })
    }

    /// One of several functions: what follows its body stays.
    pub(crate) fn parse_member(attributes: Vec<Attribute>, input: ParseStream<'_>) -> Result<Self> {
        let head = Self::parse_head(attributes, input)?;
        let body: Group = input.parse()?;
        Ok(head.with_body(body.into_token_stream()))
    }

    fn parse_head(attributes: Vec<Attribute>, input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            attributes,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: TokenStream::new(),
        })
    }

    fn with_body(self, body: TokenStream) -> Self {
        Self { body, ..self }
    }

    /// The same head with other tokens, unless they are no head any more; without a body.
    pub(crate) fn map_head(&self, map: impl FnOnce(TokenStream) -> TokenStream) -> Self {
        let (attributes, visibility, signature) =
            (&self.attributes, &self.visibility, &self.signature);
        let head = map(quote!(#(#attributes)* #visibility #signature));
        Self::parse(head).unwrap_or_else(|_| self.clone())
    }
}

/// A function that does not parse is rustc's to explain.
pub(crate) fn not_a_function(item: &TokenStream) -> Option<Error> {
    let keyword = head(item).into_iter().find(|token| !is_qualifier(token));
    let is_function = keyword.is_some_and(|keyword| keyword.to_string() == "fn");
    let message = "`#[tool]` goes on a function; put it above an `async fn` or a `fn`";
    (!is_function).then(|| Error::new(head_span(item), message))
}

fn is_qualifier(token: &TokenTree) -> bool {
    let is_abi = matches!(token, TokenTree::Literal(_));
    is_abi || QUALIFIERS.contains(&token.to_string().as_str())
}

/// The item without its attributes and its visibility.
pub(crate) fn head(item: &TokenStream) -> TokenStream {
    let rest = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<TokenStream>()
    };
    Parser::parse2(rest, item.clone()).unwrap_or_default()
}

/// Where the item says what it is.
pub(crate) fn head_span(item: &TokenStream) -> proc_macro2::Span {
    let first = head(item).into_iter().next();
    first.map_or_else(proc_macro2::Span::call_site, |token| token.span())
}

/// The function without the attributes that only `#[tool]` understands.
impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes);
        self.visibility.to_tokens(tokens);
        let mut signature = self.signature.clone();
        for input in &mut signature.inputs {
            let attributes = match input {
                FnArg::Typed(input) => &mut input.attrs,
                FnArg::Receiver(receiver) => &mut receiver.attrs,
            };
            attributes.retain(|attribute| !is_refused(attribute));
        }
        signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// Whether rustc would refuse the attribute on a parameter.
fn is_refused(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") || argument::is_helper(attribute)
}
