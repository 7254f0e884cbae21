//! Check: what the attributes of an argument say, so far as it is known here.

use super::name::{Named, check_twins};
use crate::argument::{DefaultValue, Details, unwrapped};
use crate::bounds::{Bounds, Number};
use crate::model::Tool;
use crate::report::Report;
use crate::signature::{Argument, Stored};
use crate::text::literal;
use std::iter;
use syn::{Expr, Lit};

pub(super) fn check(tool: &Tool, report: &mut Report) {
    for (_, argument) in tool.arguments() {
        let details = &argument.details;
        check_rename(details, report);
        check_bounds(details, report);
        check_default(details, report);
        check_regex(details, report);
        check_decode(details, report);
        check_role(details, report);
        check_flatten(argument, report);
    }
    check_one_flatten(tool, report);
    check_wire_names(tool, report);
}

fn check_rename(details: &Details, report: &mut Report) {
    for name in details.rename.iter().chain(&details.aliases) {
        if name.value().is_empty() {
            report.on(name, "the name of an argument is empty; write one");
        }
    }
}

fn check_bounds(details: &Details, report: &mut Report) {
    check_ends(
        details.range.as_ref(),
        is_number,
        "`range` takes numbers; write `range(1..=10)`",
        report,
    );
    let message = "a length is a whole number; write `length(1..=10)`";
    check_ends(details.length.as_ref(), is_whole, message, report);
    for bounds in details.range.iter().chain(&details.length) {
        if bounds.is_inverted() {
            report.on(
                &bounds.whole,
                "no value is in this range; write the smaller bound first",
            );
        }
    }
}

/// Literals that cannot be an end; of anything else rustc knows the type.
fn check_ends(
    bounds: Option<&Bounds>,
    can_be: impl Fn(&Expr) -> bool,
    message: &str,
    report: &mut Report,
) {
    let ends = bounds
        .into_iter()
        .flat_map(|bounds| [&bounds.min, &bounds.max]);
    for end in ends.flatten().filter(|end| !can_be(end)) {
        report.on(end, message);
    }
}

fn is_number(end: &Expr) -> bool {
    !matches!(end, Expr::Lit(literal) if !matches!(literal.lit, Lit::Int(_) | Lit::Float(_)))
}

fn is_whole(end: &Expr) -> bool {
    let is_count = |number| matches!(number, Number::Integer(count) if count >= 0);
    is_number(end) && Number::of(end).is_none_or(is_count)
}

/// A literal default outside the literal bounds; constants are rustc's to compare.
fn check_default(details: &Details, report: &mut Report) {
    let Some(DefaultValue::Value(value)) = &details.default else {
        return;
    };
    let is_outside = |bounds: &Option<Bounds>, number: Option<Number>| {
        let bounds = bounds.as_ref().filter(|bounds| !bounds.is_inverted());
        bounds
            .zip(number)
            .is_some_and(|(bounds, number)| bounds.excludes(number))
    };
    if is_outside(&details.range, Number::of(unwrapped(value))) {
        report.on(
            value,
            "the default is outside the range; change one of them",
        );
    }
    if is_outside(&details.length, length(value)) {
        report.on(
            value,
            "the default is shorter or longer than `length` allows; change one of them",
        );
    }
}

/// The number of characters of a string literal.
fn length(value: &Expr) -> Option<Number> {
    let count = literal(value)?.chars().count();
    i128::try_from(count).ok().map(Number::Integer)
}

/// A pattern that only rustc knows is checked when a runtime is built.
fn check_regex(details: &Details, report: &mut Report) {
    let Some(pattern) = &details.pattern else {
        return;
    };
    if let Some(text) = literal(pattern)
        && let Err(fault) = regex_lite::Regex::new(&text)
    {
        report.on(
            pattern,
            format_args!("the pattern is no regular expression ({fault}); correct it"),
        );
    }
}

/// The model is told what the function reads, not what it returns.
fn check_decode(details: &Details, report: &mut Report) {
    if let Some(decode) = &details.decode
        && details.schema.is_none()
    {
        report.on(
            &decode.key,
            "this changes how the argument is read, so that its type's schema is wrong; add `#[schemars(with = \"..\")]` or `#[schemars(schema_with = \"..\")]`",
        );
    }
}

fn check_role(details: &Details, report: &mut Report) {
    if let (Some(_), Some(multiline)) = (&details.secret, &details.multiline) {
        report.on(
            multiline,
            "a secret is entered in one line; keep `secret` or `multiline`",
        );
    }
}

/// A flattened struct has fields and nothing of its own.
fn check_flatten(argument: &Argument, report: &mut Report) {
    let Some(flatten) = &argument.details.flatten else {
        return;
    };
    for key in &argument.details.own {
        report.on(
            key,
            format_args!("a flattened argument has no `{key}` of its own; make the field that is meant an argument, or remove it"),
        );
    }
    if let Stored::Text(_) | Stored::List(_) = argument.stored {
        let message = "only a struct has fields to flatten; remove `flatten`";
        report.on(flatten, message);
    }
}

fn check_one_flatten(tool: &Tool, report: &mut Report) {
    let flattened = tool
        .arguments()
        .filter_map(|(_, argument)| argument.details.flatten.as_ref());
    for second in flattened.skip(1) {
        report.on(
            second,
            "one argument of a tool can be flattened; remove this one",
        );
    }
}

/// Two arguments that a model would call alike, unless `cfg` removes one of them.
fn check_wire_names(tool: &Tool, report: &mut Report) {
    let own = tool
        .arguments()
        .filter(|(input, argument)| input.cfgs.is_empty() && argument.details.flatten.is_none());
    check_twins(
        "arguments",
        own.flat_map(|(_, argument)| wire_names(argument)),
        report,
    );
}

/// The names of an argument.
fn wire_names(argument: &Argument) -> Vec<Named<'_>> {
    let details = &argument.details;
    let own = match &details.rename {
        Some(name) => name.span(),
        None => argument.ident.span(),
    };
    let aliases = details
        .aliases
        .iter()
        .map(|alias| (alias.value(), alias.span()));
    let names = iter::once((argument.name(), own)).chain(aliases);
    let ident = &argument.ident;
    names
        .map(|(name, place)| Named { name, place, ident })
        .collect()
}
