//! Model: the keys of `#[tool(..)]` by meaning.

use crate::key::Key;
use crate::report::Report;
use crate::suggest::{TOOL, TOOLSET, TRAITS};
use crate::value::{
    boolean, flag, hook, ident, key_of, list, not_built, output_cap, path, prefix, string, text,
    texts, timeout, unique, unknown,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, ExprArray, Lit, LitBool, LitInt, LitStr, Path};

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
    pub(crate) examples: Vec<Expr>,
    pub(crate) keywords: Option<ExprArray>,
    pub(crate) mode: Option<LitStr>,
    /// The word that stands for `mode = "search"`.
    pub(crate) deferred: Option<Ident>,
    pub(crate) parallel: bool,
    pub(crate) effect: Option<LitStr>,
    pub(crate) timeout: Option<Lit>,
    pub(crate) background: Option<LitBool>,
    pub(crate) output_cap: Option<LitInt>,
    pub(crate) key: Option<KeyOf>,
}

/// What calls that must not overlap have in common.
#[derive(Clone)]
pub(crate) enum KeyOf {
    /// The argument of this name.
    Argument(Ident),
    /// Whatever the function makes of the arguments.
    Function(Expr),
}

impl ToTokens for KeyOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Argument(key) => key.to_tokens(tokens),
            Self::Function(function) => function.to_tokens(tokens),
        }
    }
}

/// What stands before the name.
#[derive(Clone)]
pub(crate) enum Prefix {
    Text(LitStr),
    /// The last segment of the module's path, known to rustc.
    Module(Span),
}

impl Attribute {
    pub(crate) fn new(keys: Vec<Key>, report: &mut Report) -> Self {
        let mut attribute = Self::default();
        for key in unique(keys, &["example"], report) {
            attribute.set(key, report);
        }
        attribute
    }

    /// What `#[toolset(..)]` says: a part of the keys, for all its tools.
    pub(crate) fn of_toolset(keys: Vec<Key>, report: &mut Report) -> Self {
        let mut attribute = Self::default();
        for key in unique(keys, &[], report) {
            if TOOLSET.known.contains(&key.name.to_string().as_str()) {
                attribute.set(key, report);
            } else {
                unknown(&key.name, &TOOLSET, report);
            }
        }
        if let Some(KeyOf::Argument(key)) = &attribute.key {
            let message = "a toolset has no arguments; write the `key` on the tool that takes it";
            report.on(key, message);
        }
        attribute
    }

    /// Fills in what only the toolset says.
    pub(crate) fn inherit(mut self, toolset: &Self) -> Self {
        if self.mode.is_none() && self.deferred.is_none() {
            self.mode = toolset.mode.clone();
            self.deferred = toolset.deferred.clone();
        }
        self.keywords = together(self.keywords, toolset.keywords.clone());
        self.prefix = self.prefix.or_else(|| toolset.prefix.clone());
        self.krate = self.krate.or_else(|| toolset.krate.clone());
        self.parallel |= toolset.parallel;
        self.effect = self.effect.or_else(|| toolset.effect.clone());
        self.timeout = self.timeout.or_else(|| toolset.timeout.clone());
        self.background = self.background.or_else(|| toolset.background.clone());
        self.output_cap = self.output_cap.or_else(|| toolset.output_cap.clone());
        self.key = self.key.or_else(|| toolset.key.clone());
        self
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
            "example" => self.examples.push(text(key, report)),
            "traits" => self.set_traits(key, report),
            "keywords" => self.keywords = texts(key, report),
            "mode" => self.mode = string(key, report),
            _ => unknown(&key.name, &TOOL, report),
        }
    }

    fn set_traits(&mut self, key: Key, report: &mut Report) {
        let keys = list(key, "traits(parallel, effect = \"read\")", report);
        for key in unique(keys, &[], report) {
            self.set_trait(key, report);
        }
    }

    fn set_trait(&mut self, key: Key, report: &mut Report) {
        match key.name.to_string().as_str() {
            "parallel" => self.parallel = flag(&key, report),
            "effect" => self.effect = string(key, report),
            "timeout" => self.timeout = timeout(key, report),
            "key" => self.key = key_of(key, report),
            "background" => self.background = boolean(key, report),
            "output_cap" => self.output_cap = output_cap(key, report),
            "deferred" => self.deferred = flag(&key, report).then(|| key.name.clone()),
            "idempotent" | "open_world" => not_built(&key, report),
            _ => unknown(&key.name, &TRAITS, report),
        }
    }
}

/// The lists one after the other, where there are two.
fn together(own: Option<ExprArray>, shared: Option<ExprArray>) -> Option<ExprArray> {
    match (own, shared) {
        (Some(mut own), Some(shared)) => {
            own.elems.extend(shared.elems);
            Some(own)
        }
        (own, shared) => own.or(shared),
    }
}
