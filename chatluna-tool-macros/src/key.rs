//! Parse: the keys inside `#[tool(..)]`, whatever they are.

use crate::report::Report;
use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Path, Result, Token, parenthesized, token};

/// `name`, `name = value` or `name(..)`.
pub(crate) struct Key {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    Flag,
    Expr(Box<Expr>),
    /// The value of `crate`, which may start with `crate` or `::`.
    Path(Path),
    List(Vec<Key>),
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
            Ok(key) => keys.push(key),
            Err(error) => {
                report.push(error);
                skip_to_comma(input);
            }
        }
        if input.is_empty() {
            return;
        }
        if let Err(error) = input.parse::<Token![,]>() {
            report.push(error);
            skip_to_comma(input);
            let _ = input.parse::<Token![,]>();
        }
    }
}

fn read_key(input: ParseStream<'_>, report: &mut Report) -> Result<Key> {
    let name = input.call(Ident::parse_any)?;
    let value = if input.peek(Token![=]) {
        let equals: Token![=] = input.parse()?;
        read_value(input, &name, equals.span)?
    } else if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        let mut keys = Vec::new();
        read_list(&content, &mut keys, report);
        Value::List(keys)
    } else {
        Value::Flag
    };
    Ok(Key { name, value })
}

fn read_value(input: ParseStream<'_>, name: &Ident, equals: Span) -> Result<Value> {
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(
            equals,
            format!("`{name}` has no value; write one after `=`"),
        ));
    }
    if name == "crate" {
        return Ok(Value::Path(input.call(Path::parse_mod_style)?));
    }
    Ok(Value::Expr(input.parse()?))
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<proc_macro2::TokenTree>();
    }
}
