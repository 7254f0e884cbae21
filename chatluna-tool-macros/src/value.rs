//! Model: what the value of a key can be. A wrong one is reported here, on itself.

use crate::attribute::{KeyOf, Prefix};
use crate::key::{self, Key, Value};
use crate::owner::without_self;
use crate::report::Report;
use crate::suggest::{Vocabulary, instead_of};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::fmt::Display;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Expr, ExprArray, Lit, LitBool, LitInt, LitStr, Path, Type};

/// Drops every key that repeats an earlier one, unless it may.
pub(crate) fn unique(keys: Vec<Key>, repeatable: &[&str], report: &mut Report) -> Vec<Key> {
    let mut seen = BTreeSet::new();
    let is_new = |key: &Key| {
        let name = key.name.to_string();
        let is_new = repeatable.contains(&name.as_str()) || seen.insert(name);
        if !is_new {
            given_twice(&key.name, report);
        }
        is_new
    };
    keys.into_iter().filter(is_new).collect()
}

pub(crate) fn given_twice(name: &Ident, report: &mut Report) {
    report.on(name, format_args!("`{name}` is given twice; keep one"));
}

pub(crate) fn not_built(key: &Key, report: &mut Report) {
    let name = &key.name;
    if matches!(key.value, Value::Broken) {
        return;
    }
    let message = format_args!("`{name}` is not in this version of chatluna-tool; remove it");
    report.on(name, message);
}

/// A word that is no key here.
pub(crate) fn unknown(name: &Ident, words: &Vocabulary, report: &mut Report) {
    let place = words.place;
    let message = match instead_of(&name.to_string(), words) {
        Some(instead) => format!("`{name}` is no {place}; write {instead}"),
        None => {
            let known = words.known.join("`, `");
            format!("`{name}` is no {place}; use one of `{known}`")
        }
    };
    report.on(name, message);
}

/// The keys of `name(..)`; `example` is the whole of it, written well.
pub(crate) fn list(key: Key, example: &str, report: &mut Report) -> Vec<Key> {
    match key.value {
        Value::List(tokens) => return key::parse(tokens, report),
        Value::Broken => {}
        Value::Flag | Value::Expr(_) => {
            let name = &key.name;
            report.on(
                name,
                format_args!("`{name}` takes a list; write `{example}`"),
            );
        }
    }
    Vec::new()
}

pub(crate) fn expr(key: Key, report: &mut Report) -> Option<Expr> {
    let name = &key.name;
    match key.value {
        Value::Expr(value) => Some(ungrouped(*value)),
        Value::Broken => None,
        Value::Flag | Value::List(_) => {
            report.on(
                name,
                format_args!("`{name}` takes a value; write `{name} = ..`"),
            );
            None
        }
    }
}

/// The expression inside the groups that `macro_rules!` wraps around it.
pub(crate) fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

pub(crate) fn flag(key: &Key, report: &mut Report) -> bool {
    if let Value::Expr(_) | Value::List(_) = key.value {
        let name = &key.name;
        report.on(
            name,
            format_args!("`{name}` takes no value; write it alone or leave it out"),
        );
    }
    matches!(key.value, Value::Flag)
}

/// Any const `&str`; its type is rustc's to check, unless it is a literal.
///
/// Once reported, a stand-in: the key was given, so that no default takes its place.
pub(crate) fn text(key: Key, report: &mut Report) -> Expr {
    let name = key.name.clone();
    let value = expr(key, report).unwrap_or(Expr::Verbatim(TokenStream::new()));
    if is_literal_but_no_string(&value) {
        report.on(
            &value,
            format_args!("`{name}` takes text; write `{name} = \"..\"`"),
        );
    }
    value
}

pub(crate) fn is_literal_but_no_string(value: &Expr) -> bool {
    matches!(value, Expr::Lit(literal) if !matches!(literal.lit, Lit::Str(_)))
}

/// Any const `&str`s, in brackets.
pub(crate) fn texts(key: Key, report: &mut Report) -> Option<ExprArray> {
    let name = key.name.clone();
    let place = match key.value {
        Value::Broken => return None,
        Value::Flag | Value::List(_) => name.to_token_stream(),
        Value::Expr(value) => match ungrouped(*value) {
            Expr::Array(list) => return Some(list),
            other => other.into_token_stream(),
        },
    };
    report.on(
        place,
        format_args!("`{name}` takes a list in brackets; write `{name} = [\"..\", \"..\"]`"),
    );
    None
}

/// A closure or a path; its type is rustc's to check.
pub(crate) fn hook(key: Key, example: &str, report: &mut Report) -> Option<Expr> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    if matches!(value, Expr::Lit(_)) {
        report.on(
            value,
            format_args!("`{name}` takes a function; write `{name} = {example}`"),
        );
        return None;
    }
    Some(value)
}

pub(crate) fn string(key: Key, report: &mut Report) -> Option<LitStr> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    if let Expr::Lit(literal) = &value
        && let Lit::Str(text) = &literal.lit
    {
        return Some(text.clone());
    }
    report.on(
        value,
        format_args!("`{name}` takes a string literal; write `{name} = \"..\"`"),
    );
    None
}

pub(crate) fn boolean(key: Key, report: &mut Report) -> Option<LitBool> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    if let Expr::Lit(literal) = &value
        && let Lit::Bool(value) = &literal.lit
    {
        return Some(value.clone());
    }
    report.on(
        value,
        format_args!("`{name}` is true or false; write `{name} = false`"),
    );
    None
}

pub(crate) fn prefix(key: Key, report: &mut Report) -> Option<Prefix> {
    if let Value::Expr(value) = &key.value
        && matches!(&**value, Expr::Path(path) if path.path.is_ident("module"))
    {
        return Some(Prefix::Module(value.span()));
    }
    string(key, report).map(Prefix::Text)
}

/// A number of milliseconds, or text with a unit.
pub(crate) fn timeout(key: Key, report: &mut Report) -> Option<Lit> {
    let value = expr(key, report)?;
    match value {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Str(_)) => Some(literal.lit),
        other => {
            report.on(
                other,
                "`timeout` takes a literal; write `timeout = 30_000` or `timeout = \"30s\"`",
            );
            None
        }
    }
}

/// A number of bytes.
pub(crate) fn output_cap(key: Key, report: &mut Report) -> Option<LitInt> {
    let value = expr(key, report)?;
    if let Expr::Lit(literal) = &value
        && let Lit::Int(bytes) = &literal.lit
    {
        return Some(bytes.clone());
    }
    report.on(
        value,
        "`output_cap` takes a number of bytes; write `output_cap = 20_000`",
    );
    None
}

pub(crate) fn ident(key: Key, report: &mut Report) -> Option<Ident> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    if let Expr::Path(path) = &value
        && let Some(ident) = path.path.get_ident()
        // `self` and `crate` are paths, but no names.
        && syn::parse2::<Ident>(ident.to_token_stream()).is_ok()
    {
        return Some(ident.clone());
    }
    report.on(
        value,
        format_args!(
            "`{name}` takes the name for the arguments struct; write `{name} = DeployArgs`"
        ),
    );
    None
}

pub(crate) fn path(key: Key, report: &mut Report) -> Option<Path> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    match value {
        Expr::Path(path) if path.qself.is_none() => Some(path.path),
        other => {
            report.on(
                other,
                format_args!("`{name}` takes a path; write `{name} = ::my_facade::chatluna_tool`"),
            );
            None
        }
    }
}

/// What a string literal contains, as serde and schemars write paths and types, with the owner in
/// place of `Self`.
pub(crate) fn quoted<T: Parse>(
    key: Key,
    example: impl Display,
    owner: Option<&Type>,
    report: &mut Report,
) -> Option<T> {
    let name = key.name.clone();
    let text = string(key, report)?;
    let tokens = text.parse::<TokenStream>();
    let tokens = tokens.map(|tokens| match owner {
        Some(owner) => without_self(tokens, owner),
        None => tokens,
    });
    let parsed = tokens.and_then(syn::parse2);
    if parsed.is_err() {
        report.on(
            text,
            format_args!("`{name}` cannot be read; write `{name} = \"{example}\"`"),
        );
    }
    parsed.ok()
}

/// A single word is the name of an argument; whether there is one, the check tells.
pub(crate) fn key_of(key: Key, report: &mut Report) -> Option<KeyOf> {
    let value = expr(key, report)?;
    match &value {
        Expr::Lit(_) => {
            let message =
                "`key` takes an argument or a closure; write `key = city` or `key = |args| ..`";
            report.on(value, message);
            None
        }
        Expr::Path(path) => Some(match path.path.get_ident() {
            Some(ident) => KeyOf::Argument(ident.clone()),
            None => KeyOf::Function(value),
        }),
        _ => Some(KeyOf::Function(value)),
    }
}
