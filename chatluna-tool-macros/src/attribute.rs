//! Model: the keys of `#[tool(..)]` by meaning.

use crate::key::{Key, Value};
use crate::report::Report;
use crate::suggest::instead_of;
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Expr, Lit, LitStr, Path};

/// The keys that work in this version.
const KEYS: &[&str] = &[
    "args",
    "crate",
    "description",
    "name",
    "permission",
    "prefix",
    "title",
    "traits",
    "visibility",
];
/// The traits that work in this version.
const TRAITS: &[&str] = &["effect", "parallel", "timeout"];

/// What `#[tool(..)]` says.
#[derive(Default)]
pub(crate) struct Attribute {
    pub(crate) name: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) title: Option<Expr>,
    pub(crate) prefix: Option<Prefix>,
    pub(crate) args: Option<Ident>,
    pub(crate) permission: Option<Expr>,
    pub(crate) visibility: Option<Expr>,
    pub(crate) krate: Option<Path>,
    pub(crate) parallel: bool,
    pub(crate) effect: Option<LitStr>,
    pub(crate) timeout: Option<Lit>,
}

/// What stands before the name.
pub(crate) enum Prefix {
    Text(LitStr),
    /// The last segment of the module's path, known to rustc.
    Module(Span),
}

impl Attribute {
    pub(crate) fn new(keys: Vec<Key>, report: &mut Report) -> Self {
        let mut attribute = Self::default();
        for key in unique(keys, report) {
            attribute.set(key, report);
        }
        attribute
    }

    fn set(&mut self, key: Key, report: &mut Report) {
        match key.name.to_string().as_str() {
            "name" => self.name = Some(text(key, report)),
            "description" => self.description = Some(text(key, report)),
            "title" => self.title = Some(text(key, report)),
            "prefix" => self.prefix = prefix(key, report),
            "args" => self.args = ident(key, report),
            "permission" => self.permission = hook(key, "|args| Permission::new(\"..\")", report),
            "visibility" => self.visibility = hook(key, "|session| ..", report),
            "crate" => self.krate = path(key, report),
            "traits" => self.set_traits(key, report),
            "example" | "keywords" | "mode" => not_built(&key.name, report),
            _ => unknown("key", &key.name, KEYS, report),
        }
    }

    fn set_traits(&mut self, key: Key, report: &mut Report) {
        let message = "`traits` takes a list; write `traits(parallel, effect = \"read\")`";
        match key.value {
            Value::List(keys) => {
                for key in unique(keys, report) {
                    self.set_trait(key, report);
                }
            }
            Value::Broken => {}
            Value::Flag | Value::Expr(_) => report.on(&key.name, message),
        }
    }

    fn set_trait(&mut self, key: Key, report: &mut Report) {
        match key.name.to_string().as_str() {
            "parallel" => self.parallel = flag(&key, report),
            "effect" => self.effect = string(key, report),
            "timeout" => self.timeout = timeout(key, report),
            "background" | "deferred" | "idempotent" | "key" | "open_world" => {
                not_built(&key.name, report);
            }
            _ => unknown("trait", &key.name, TRAITS, report),
        }
    }
}

/// Drops every key that repeats an earlier one.
pub(crate) fn unique(keys: Vec<Key>, report: &mut Report) -> Vec<Key> {
    let mut seen = BTreeSet::new();
    let is_new = |key: &Key| {
        let name = &key.name;
        let is_new = seen.insert(name.to_string());
        if !is_new {
            report.on(name, format_args!("`{name}` is given twice; keep one"));
        }
        is_new
    };
    keys.into_iter().filter(is_new).collect()
}

fn not_built(name: &Ident, report: &mut Report) {
    let message = format_args!("`{name}` is not in this version of chatluna-tool; remove it");
    report.on(name, message);
}

fn unknown(kind: &str, name: &Ident, known: &[&str], report: &mut Report) {
    match instead_of(&name.to_string(), known) {
        Some(instead) => report.on(
            name,
            format_args!("unknown {kind} `{name}`; write {instead}"),
        ),
        None => {
            let known = known.join("`, `");
            report.on(
                name,
                format_args!("unknown {kind} `{name}`; use one of `{known}`"),
            );
        }
    }
}

fn expr(key: Key, report: &mut Report) -> Option<Expr> {
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
fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

fn flag(key: &Key, report: &mut Report) -> bool {
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
fn text(key: Key, report: &mut Report) -> Expr {
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

fn is_literal_but_no_string(value: &Expr) -> bool {
    matches!(value, Expr::Lit(literal) if !matches!(literal.lit, Lit::Str(_)))
}

/// A closure or a path; its type is rustc's to check.
fn hook(key: Key, example: &str, report: &mut Report) -> Option<Expr> {
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

fn string(key: Key, report: &mut Report) -> Option<LitStr> {
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

fn prefix(key: Key, report: &mut Report) -> Option<Prefix> {
    if let Value::Expr(value) = &key.value
        && matches!(&**value, Expr::Path(path) if path.path.is_ident("module"))
    {
        return Some(Prefix::Module(value.span()));
    }
    string(key, report).map(Prefix::Text)
}

/// A number of milliseconds, or text with a unit.
fn timeout(key: Key, report: &mut Report) -> Option<Lit> {
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

fn ident(key: Key, report: &mut Report) -> Option<Ident> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    if let Expr::Path(path) = &value
        && let Some(ident) = path.path.get_ident()
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
