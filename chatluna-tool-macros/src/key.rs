//! Parse: the keys inside `#[tool(..)]` and the other attributes, whatever they are.

use crate::report::Report;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Error, Expr, Result, Token, parenthesized, token};

/// `name`, `name = value` or `name(..)`.
pub(crate) struct Key {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    Flag,
    Expr(Box<Expr>),
    /// What stands between the parentheses.
    List(TokenStream),
    /// Reported already.
    Broken,
}

/// Reads as many keys as it can; a broken one is reported and skipped.
pub(crate) fn parse(tokens: TokenStream, report: &mut Report) -> Vec<Key> {
    let mut keys = Vec::new();
    let read = |input: ParseStream<'_>| {
        read_list(input, &mut keys, report);
        Ok(())
    };
    // `read_list` consumes everything and reports by itself.
    let _ = Parser::parse2(read, tokens);
    keys
}

fn read_list(input: ParseStream<'_>, keys: &mut Vec<Key>, report: &mut Report) {
    while !input.is_empty() {
        match read_key(input, report) {
            Ok(mut key) => {
                if !input.is_empty() && !input.peek(Token![,]) {
                    report.push(unseparated(&mut key, skip_to_comma(input)));
                }
                keys.push(key);
            }
            Err(error) => report.push(error),
        }
        let _ = input.parse::<Option<Token![,]>>();
    }
}

/// What follows a key in place of a comma. A key that may want it for its value says no more.
fn unseparated(key: &mut Key, rest: TokenStream) -> Error {
    let name = &key.name;
    let message = match (&key.value, rest.clone().into_iter().next()) {
        (Value::Flag, Some(TokenTree::Literal(_))) => {
            format!("no `=` before the value of `{name}`; write `{name} = ..`")
        }
        (Value::Flag, Some(TokenTree::Group(_))) => {
            format!("a list stands in parentheses; write `{name}(..)`")
        }
        _ => "two keys without a comma between them; write a `,` here".to_owned(),
    };
    if matches!(key.value, Value::Flag) {
        key.value = Value::Broken;
    }
    Error::new(first_span(rest), message)
}

fn read_key(input: ParseStream<'_>, report: &mut Report) -> Result<Key> {
    let name = read_name(input)?;
    let value = if let Some(equals) = read_equals(input, &name, report)? {
        read_value(input, &name, equals).unwrap_or_else(|error| {
            report.push(error);
            Value::Broken
        })
    } else if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        Value::List(content.parse()?)
    } else {
        Value::Flag
    };
    Ok(Key { name, value })
}

/// Any word, since `crate` is a key.
fn read_name(input: ParseStream<'_>) -> Result<Ident> {
    if input.peek(Token![,]) {
        return Err(input.error("no key before this `,`; remove it"));
    }
    input.call(Ident::parse_any).map_err(|_| {
        let message = "a key is a word; write `key`, `key = value` or `key(..)`";
        Error::new(first_span(skip_to_comma(input)), message)
    })
}

/// The `=`, or the `:` that was meant to be one.
fn read_equals(input: ParseStream<'_>, name: &Ident, report: &mut Report) -> Result<Option<Span>> {
    if input.peek(Token![:]) && !input.peek(Token![::]) {
        let colon: Token![:] = input.parse()?;
        let message = format_args!("a value comes after `=`, not `:`; write `{name} = ..`");
        report.at(colon.span(), message);
        return Ok(Some(colon.span()));
    }
    let equals: Option<Token![=]> = input.parse()?;
    Ok(equals.map(|equals| equals.span()))
}

fn read_value(input: ParseStream<'_>, name: &Ident, equals: Span) -> Result<Value> {
    if input.is_empty() || input.peek(Token![,]) {
        let message = format!("`{name}` has no value; write one after `=`");
        return Err(Error::new(equals, message));
    }
    let start = input.fork();
    input.parse().map(Value::Expr).map_err(|error| {
        let message = format!("the value of `{name}` is incomplete ({error}); finish it");
        let _ = skip_to_comma(input);
        Error::new_spanned(skip_to_comma(&start), message)
    })
}

/// The tokens up to the next comma, which stays.
fn skip_to_comma(input: ParseStream<'_>) -> TokenStream {
    let mut skipped = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        skipped.extend(input.parse::<TokenTree>());
    }
    skipped
}

fn first_span(tokens: TokenStream) -> Span {
    let first = tokens.into_iter().next();
    first.map_or_else(Span::call_site, |token| token.span())
}
