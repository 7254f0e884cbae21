//! Model: the keys of `#[tool(..)]` by meaning.

use crate::key::{Key, Value};
use crate::report::Report;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{Expr, Lit, LitInt, LitStr, Path};

/// The keys that work in this version.
const KEYS: &str = "`name`, `description`, `title`, `prefix`, `args`, `permission`, `visibility`, `crate` and `traits(..)`";
/// The traits that work in this version.
const TRAITS: &str = "`parallel`, `effect` and `timeout`";

/// What `#[tool(..)]` says.
#[derive(Default)]
pub(crate) struct Attribute {
    pub(crate) name: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) title: Option<Expr>,
    pub(crate) prefix: Option<LitStr>,
    pub(crate) args: Option<Ident>,
    pub(crate) permission: Option<Expr>,
    pub(crate) visibility: Option<Expr>,
    pub(crate) krate: Option<Path>,
    pub(crate) parallel: bool,
    pub(crate) effect: Option<LitStr>,
    pub(crate) timeout: Option<LitInt>,
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
            "name" => self.name = expr(key, report),
            "description" => self.description = expr(key, report),
            "title" => self.title = expr(key, report),
            "prefix" => self.prefix = prefix(key, report),
            "args" => self.args = ident(key, report),
            "permission" => self.permission = expr(key, report),
            "visibility" => self.visibility = expr(key, report),
            "crate" => self.krate = path(key, report),
            "traits" => self.set_traits(key, report),
            "mode" | "example" | "keywords" => not_built(&key.name, report),
            _ => report.on(
                &key.name,
                format_args!("unknown key `{}`; the keys are {KEYS}", key.name),
            ),
        }
    }

    fn set_traits(&mut self, key: Key, report: &mut Report) {
        let Value::List(keys) = key.value else {
            report.on(
                &key.name,
                "`traits` takes a list; write `traits(parallel, effect = \"read\")`",
            );
            return;
        };
        for key in unique(keys, report) {
            self.set_trait(key, report);
        }
    }

    fn set_trait(&mut self, key: Key, report: &mut Report) {
        match key.name.to_string().as_str() {
            "parallel" => self.parallel = flag(&key, report),
            "effect" => self.effect = string(key, report),
            "timeout" => self.timeout = integer(key, report),
            "background" | "deferred" | "key" | "idempotent" | "open_world" => {
                not_built(&key.name, report);
            }
            _ => report.on(
                &key.name,
                format_args!("unknown trait `{}`; the traits are {TRAITS}", key.name),
            ),
        }
    }
}

/// Drops every key that repeats an earlier one.
fn unique(keys: Vec<Key>, report: &mut Report) -> Vec<Key> {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let is_new = |key: &Key| {
        let first = seen.insert(key.name.to_string(), key.name.span()).is_none();
        if !first {
            report.on(
                &key.name,
                format_args!("`{}` is given twice; keep one", key.name),
            );
        }
        first
    };
    keys.into_iter().filter(is_new).collect()
}

fn not_built(name: &Ident, report: &mut Report) {
    report.on(
        name,
        format_args!("`{name}` is not in this version of chatluna-tool; remove it"),
    );
}

fn expr(key: Key, report: &mut Report) -> Option<Expr> {
    let name = &key.name;
    match key.value {
        Value::Expr(value) => Some(*value),
        _ => {
            report.on(
                name,
                format_args!("`{name}` takes a value; write `{name} = ..`"),
            );
            None
        }
    }
}

fn flag(key: &Key, report: &mut Report) -> bool {
    let flag = matches!(key.value, Value::Flag);
    if !flag {
        let name = &key.name;
        report.on(
            name,
            format_args!("`{name}` takes no value; write `{name}` alone or leave it out"),
        );
    }
    flag
}

/// The literal inside the groups that `macro_rules!` wraps around it.
pub(crate) fn literal(expr: &Expr) -> Option<&Lit> {
    match expr {
        Expr::Lit(literal) => Some(&literal.lit),
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

fn string(key: Key, report: &mut Report) -> Option<LitStr> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    match literal(&value) {
        Some(Lit::Str(text)) => Some(text.clone()),
        _ => {
            report.on(
                value,
                format_args!("`{name}` takes a string literal; write `{name} = \"..\"`"),
            );
            None
        }
    }
}

fn prefix(key: Key, report: &mut Report) -> Option<LitStr> {
    if let Value::Expr(value) = &key.value
        && value.to_token_stream().to_string() == "module"
    {
        report.on(value, "`prefix = module` is not in this version of chatluna-tool; write the prefix as a string");
        return None;
    }
    string(key, report)
}

fn integer(key: Key, report: &mut Report) -> Option<LitInt> {
    let name = key.name.clone();
    let value = expr(key, report)?;
    match literal(&value) {
        Some(Lit::Int(number)) => return Some(number.clone()),
        Some(Lit::Str(_)) => report.on(value, format_args!("`{name}` as a string is not in this version of chatluna-tool; give milliseconds: `{name} = 30_000`")),
        _ => report.on(value, format_args!("`{name}` takes a whole number of milliseconds; write `{name} = 30_000`")),
    }
    None
}

fn ident(key: Key, report: &mut Report) -> Option<Ident> {
    let name = key.name.clone();
    match expr(key, report)? {
        Expr::Path(path) if path.path.get_ident().is_some() => path.path.get_ident().cloned(),
        other => {
            report.on(
                other,
                format_args!(
                    "`{name}` takes the name for the arguments struct; write `{name} = DeployArgs`"
                ),
            );
            None
        }
    }
}

fn path(key: Key, report: &mut Report) -> Option<Path> {
    match key.value {
        Value::Path(path) => Some(path),
        _ => {
            report.on(
                &key.name,
                "`crate` takes a path; write `crate = ::my_facade::chatluna_tool`",
            );
            None
        }
    }
}
