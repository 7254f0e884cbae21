//! Check: one function a rule. Nothing is changed here and nothing quoted.

use crate::attribute::literal;
use crate::model::{Name, Tool};
use crate::report::Report;
use crate::signature::ungrouped;
use syn::spanned::Spanned;
use syn::{GenericArgument, Lit, PathArguments, Type};

/// The longest tool name, its prefix included.
const MAX_NAME: usize = 64;
/// The walker marks what it has seen in one word.
const MAX_ARGUMENTS: usize = 64;

pub(crate) fn check(tool: &Tool, report: &mut Report) {
    check_qualifiers(tool, report);
    check_generics(tool, report);
    check_inputs(tool, report);
    check_count(tool, report);
    check_output(tool, report);
    check_name(tool, report);
    check_prefix(tool, report);
    check_description(tool, report);
    check_effect(tool, report);
    check_timeout(tool, report);
}

/// The runtime calls the function as safe Rust.
fn check_qualifiers(tool: &Tool, report: &mut Report) {
    let signature = &tool.signature;
    if let Some(token) = &signature.constness {
        report.on(token, "a tool cannot be a `const fn`; remove `const`");
    }
    if !matches!(signature.safety, syn::Safety::Default) {
        report.on(
            &signature.safety,
            "a tool cannot be `unsafe`; wrap the unsafe code inside it",
        );
    }
    if let Some(abi) = &signature.abi {
        report.on(
            abi,
            "a tool cannot be `extern`; remove it and call the foreign function inside",
        );
    }
    if let Some(variadic) = &signature.variadic {
        report.on(variadic, "a tool cannot be variadic; take a `Vec` instead");
    }
}

/// A model cannot choose a type.
fn check_generics(tool: &Tool, report: &mut Report) {
    let generics = &tool.signature.generics;
    if !generics.params.is_empty() {
        report.on(
            &generics.params,
            "a tool cannot be generic; write concrete types, and references without a lifetime",
        );
    }
    if let Some(clause) = &generics.where_clause {
        report.on(
            clause,
            "a tool cannot be generic; remove the `where` clause",
        );
    }
}

fn check_inputs(tool: &Tool, report: &mut Report) {
    for input in tool.signature.inputs.iter() {
        let syn::FnArg::Typed(parameter) = input else {
            continue;
        };
        match ungrouped(&parameter.ty) {
            Type::Reference(reference) => check_reference(reference, report),
            owned => check_owned(owned, report),
        }
    }
}

fn check_reference(reference: &syn::TypeReference, report: &mut Report) {
    if let Some(token) = &reference.mutability {
        report.on(
            token,
            "a tool cannot take `&mut`; take `&T` and put what changes behind a `Mutex`",
        );
    }
    if let Some(lifetime) = &reference.lifetime {
        report.on(lifetime, "a reference in a tool has no lifetime; remove it");
    }
    let inner = ungrouped(&reference.elem);
    if is_named(inner, "str") {
        report.on(
            reference,
            "`&str` arguments are not in this version of chatluna-tool; take a `String`",
        );
    }
    if let Type::Slice(slice) = inner {
        let message = "slice arguments are not in this version of chatluna-tool; take a `Vec`";
        report.on(slice, message);
    }
    if is_named(inner, "String") || is_named(inner, "Vec") {
        report.on(
            reference,
            "a reference is state of the program, not an argument; take the argument by value",
        );
    }
    if let Type::TraitObject(object) = inner {
        report.on(
            object,
            "state has to have a concrete type; take `&Arc<dyn Trait>` and provide that",
        );
    }
}

fn check_owned(owned: &Type, report: &mut Report) {
    if let Type::ImplTrait(ty) = owned {
        report.on(ty, "a tool cannot take `impl Trait`; write a concrete type");
    }
    if let Some(reference) = reference_within(owned) {
        report.on(
            reference,
            "an argument owns its data; use an owned type such as `String` or `Vec`",
        );
    }
}

/// The first reference among the type's own generic arguments and elements.
fn reference_within(ty: &Type) -> Option<&Type> {
    match ungrouped(ty) {
        reference @ Type::Reference(_) => Some(reference),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(reference_within),
        Type::Array(array) => reference_within(&array.elem),
        Type::Path(path) => path.path.segments.iter().find_map(|segment| {
            let PathArguments::AngleBracketed(generic) = &segment.arguments else {
                return None;
            };
            generic.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => reference_within(ty),
                _ => None,
            })
        }),
        _ => None,
    }
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

fn check_count(tool: &Tool, report: &mut Report) {
    if let Some((_, extra)) = tool.arguments().nth(MAX_ARGUMENTS) {
        report.on(
            &extra.ident,
            format_args!("a tool has {MAX_ARGUMENTS} arguments at most; group some in a struct"),
        );
    }
}

fn check_output(tool: &Tool, report: &mut Report) {
    if let Type::ImplTrait(ty) = ungrouped(&tool.output) {
        report.on(ty, "a tool cannot return `impl Trait`; name the type");
    }
}

/// `^[a-zA-Z0-9_-]{1,64}$`, which every provider accepts. Const names are rustc's to evaluate.
fn check_name(tool: &Tool, report: &mut Report) {
    let Name::Known(name, place) = &tool.name else {
        return;
    };
    let span = place
        .as_ref()
        .map_or(tool.signature.ident.span(), Spanned::span);
    if name.is_empty() {
        report.at(
            span,
            "the tool name is empty; leave `name` out to use the function's",
        );
        return;
    }
    let whole = joined(&tool.prefix(), name);
    if !name.chars().all(is_name_char) {
        let remedy = match clean(name) {
            clean if clean.is_empty() => "add `name = \"..\"`".to_owned(),
            clean => format!("write `name = \"{clean}\"`"),
        };
        report.at(span, format_args!("`{name}` cannot be a tool name, only a-z, A-Z, 0-9, `_` and `-` can be in one; {remedy}"));
    } else if whole.len() > MAX_NAME {
        report.at(span, format_args!("the tool name `{whole}` has {} characters, {MAX_NAME} at most are accepted by models; shorten it", whole.len()));
    }
}

fn check_prefix(tool: &Tool, report: &mut Report) {
    let Some(prefix) = &tool.attribute.prefix else {
        return;
    };
    let text = prefix.value();
    if !text.chars().all(is_name_char) {
        report.on(prefix, format_args!("`{text}` cannot begin a tool name, only a-z, A-Z, 0-9, `_` and `-` can be in one; write `prefix = \"{}\"`", clean(&text)));
    }
}

fn is_name_char(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

/// The name with every run of other characters made one `_`.
fn clean(name: &str) -> String {
    let words = name.split(|letter| !is_name_char(letter));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_").chars().take(MAX_NAME).collect()
}

/// The prefix, `_` and the name.
pub(crate) fn joined(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        prefix => format!("{prefix}_{name}"),
    }
}

/// A model chooses tools by their descriptions.
fn check_description(tool: &Tool, report: &mut Report) {
    let Some(description) = &tool.description else {
        report.on(
            &tool.signature.ident,
            "the tool has no description; write a doc comment above it, or `description = \"..\"`",
        );
        return;
    };
    if let Some(Lit::Str(text)) = literal(description)
        && text.value().trim().is_empty()
    {
        report.on(
            description,
            "the description is empty; say what the tool does",
        );
    }
}

fn check_effect(tool: &Tool, report: &mut Report) {
    if let Some(effect) = &tool.attribute.effect
        && !["read", "write", "exec"].contains(&effect.value().as_str())
    {
        report.on(
            effect,
            format_args!(
                "unknown effect `{}`; write \"read\", \"write\" or \"exec\"",
                effect.value()
            ),
        );
    }
}

fn check_timeout(tool: &Tool, report: &mut Report) {
    let Some(timeout) = &tool.attribute.timeout else {
        return;
    };
    match timeout.base10_parse::<u64>() {
        Ok(0) => report.on(timeout, "a timeout is at least 1 millisecond; leave it out to use the runtime's default"),
        Ok(_) => {}
        Err(_) => report.on(timeout, "a timeout is a whole number of milliseconds without a suffix; write `timeout = 30_000`"),
    }
}
