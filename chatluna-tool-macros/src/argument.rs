//! Model: what `#[arg(..)]`, `#[serde(..)]` and `#[schemars(..)]` say of an argument.

use crate::bounds::{Bounds, bounds};
use crate::key::{self, Key, Value};
use crate::report::Report;
use crate::suggest::{ARG, SCHEMARS, SERDE};
use crate::value::{expr, flag, given_twice, quoted, string, text, unique, unknown};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprPath, Lit, LitStr, Meta, Type};

/// The attributes of a parameter that are read here, in the order of their names.
pub(crate) const HELPERS: [&str; 3] = ["arg", "schemars", "serde"];

/// What is said of an argument beyond its type.
#[derive(Default)]
pub(crate) struct Details {
    pub(crate) default: Option<DefaultValue>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) range: Option<Bounds>,
    pub(crate) length: Option<Bounds>,
    pub(crate) pattern: Option<Expr>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) secret: Option<Ident>,
    pub(crate) multiline: Option<Ident>,
    pub(crate) flatten: Option<Ident>,
    pub(crate) decode: Option<Decode>,
    pub(crate) schema: Option<Schema>,
    /// The keys that say something of the argument's own, which a flattened one does not have.
    pub(crate) own: Vec<Ident>,
}

/// The value of an argument that is left out.
pub(crate) enum DefaultValue {
    /// [`std::default::Default`], asked for here.
    OfType(Span),
    Value(Expr),
    /// What the function returns.
    Function(ExprPath),
}

/// What reads the value instead of `Deserialize`.
pub(crate) struct Decode {
    /// The key that says so.
    pub(crate) key: Ident,
    pub(crate) function: ExprPath,
}

/// Where the schema comes from instead of the argument's type.
pub(crate) enum Schema {
    Type(Box<Type>),
    Function(ExprPath),
}

impl Details {
    pub(crate) fn new(attributes: &[Attribute], owner: Option<&Type>, report: &mut Report) -> Self {
        let mut details = Self::default();
        for attribute in attributes {
            let Some(helper) = HELPERS.iter().find(|name| attribute.path().is_ident(name)) else {
                continue;
            };
            for key in unique(keys(attribute, report), &["alias", "example"], report) {
                match *helper {
                    "arg" => details.set(key, report),
                    "serde" => details.set_serde(key, owner, report),
                    _ => details.set_schemars(key, owner, report),
                }
            }
        }
        details
    }

    fn set(&mut self, key: Key, report: &mut Report) {
        let name = key.name.clone();
        let flattens = name == "flatten";
        match name.to_string().as_str() {
            "default" => self.set_default(key, report),
            "description" => self.description = Some(text(key, report)),
            "example" => self.examples.extend(expr(key, report)),
            "flatten" => self.flatten = flag(&key, report).then(|| name.clone()),
            "length" => self.length = bounds(key, report),
            "multiline" => self.multiline = flag(&key, report).then(|| name.clone()),
            "pattern" => self.pattern = Some(text(key, report)),
            "range" => self.range = bounds(key, report),
            "rename" => self.set_rename(key, report),
            "secret" => self.secret = flag(&key, report).then(|| name.clone()),
            _ => return unknown(&name, &ARG, report),
        }
        self.own.extend((!flattens).then_some(name));
    }

    fn set_serde(&mut self, key: Key, owner: Option<&Type>, report: &mut Report) {
        let name = key.name.clone();
        match name.to_string().as_str() {
            "alias" => self.aliases.extend(string(key, report)),
            "default" => self.set_serde_default(key, owner, report),
            "deserialize_with" => {
                let function = quoted(key, "path::to::function", owner, report);
                self.set_decode(&name, function, report);
            }
            "rename" => self.set_rename(key, report),
            "with" => {
                let module: Option<ExprPath> = quoted(key, "path::to::module", owner, report);
                self.set_decode(&name, module.map(|module| function_of(&module)), report);
            }
            _ => return unknown(&name, &SERDE, report),
        }
        self.own.push(name);
    }

    fn set_schemars(&mut self, key: Key, owner: Option<&Type>, report: &mut Report) {
        let name = key.name.clone();
        let schema = match name.to_string().as_str() {
            "with" => quoted(key, "Type", owner, report).map(|ty| Schema::Type(Box::new(ty))),
            "schema_with" => quoted(key, "path::to::function", owner, report).map(Schema::Function),
            _ => return unknown(&name, &SCHEMARS, report),
        };
        if self.schema.is_some() {
            report.on(&name, "the argument has two schemas; keep one of them");
        }
        self.schema = schema;
        self.own.push(name);
    }

    /// `default` or `default = EXPR`.
    fn set_default(&mut self, key: Key, report: &mut Report) {
        let name = key.name.clone();
        let default = match key.value {
            Value::Flag => Some(DefaultValue::OfType(name.span())),
            _ => expr(key, report).map(DefaultValue::Value),
        };
        self.take_default(&name, default, report);
    }

    /// `default` or `default = "path"`.
    fn set_serde_default(&mut self, key: Key, owner: Option<&Type>, report: &mut Report) {
        let name = key.name.clone();
        let default = match key.value {
            Value::Flag => Some(DefaultValue::OfType(name.span())),
            _ => quoted(key, "path::to::function", owner, report).map(DefaultValue::Function),
        };
        self.take_default(&name, default, report);
    }

    fn take_default(&mut self, name: &Ident, default: Option<DefaultValue>, report: &mut Report) {
        if self.default.is_some() {
            given_twice(name, report);
        }
        self.default = default;
    }

    fn set_rename(&mut self, key: Key, report: &mut Report) {
        if self.rename.is_some() {
            given_twice(&key.name, report);
        }
        self.rename = string(key, report);
    }

    fn set_decode(&mut self, key: &Ident, function: Option<ExprPath>, report: &mut Report) {
        if self.decode.is_some() {
            let message = "two functions read the argument; keep `with` or `deserialize_with`";
            report.on(key, message);
        }
        self.decode = function.map(|function| Decode {
            key: key.clone(),
            function,
        });
    }
}

/// The keys between the parentheses of a helper attribute.
fn keys(attribute: &Attribute, report: &mut Report) -> Vec<Key> {
    match &attribute.meta {
        Meta::List(list) => key::parse(list.tokens.clone(), report),
        Meta::Path(_) | Meta::NameValue(_) => {
            let name = attribute.path().require_ident().map(Ident::to_string);
            let name = name.unwrap_or_default();
            report.on(
                attribute,
                format_args!("`{name}` takes a list; write `#[{name}(..)]`"),
            );
            Vec::new()
        }
    }
}

/// `module::deserialize`, to which errors at the module lead.
fn function_of(module: &ExprPath) -> ExprPath {
    let mut function = module.clone();
    let name = format_ident!("deserialize", span = module.span());
    function.path.segments.push(syn::PathSegment::from(name));
    function
}

impl DefaultValue {
    /// The string literal that becomes the argument's type through `Into`.
    pub(crate) fn text(&self) -> Option<&LitStr> {
        match self {
            Self::Value(Expr::Lit(literal)) => match &literal.lit {
                Lit::Str(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// The path of what is probably a constant.
    pub(crate) fn constant(&self) -> Option<&Expr> {
        match self {
            Self::Value(path @ Expr::Path(_)) => Some(path),
            _ => None,
        }
    }
}

/// The expression inside of `Some(..)`.
pub(crate) fn unwrapped(value: &Expr) -> &Expr {
    match value {
        Expr::Call(call) if is_some(&call.func) && call.args.len() == 1 => &call.args[0],
        _ => value,
    }
}

fn is_some(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if path.path.is_ident("Some"))
}

/// Whether the attribute is read here.
pub(crate) fn is_helper(attribute: &Attribute) -> bool {
    HELPERS.iter().any(|name| attribute.path().is_ident(name))
}
