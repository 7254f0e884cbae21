//! Doc comments as text for the model.

use quote::quote;
use syn::{Attribute, Expr, Lit, Meta, parse_quote};

/// The doc comment among the attributes, unless it is blank.
///
/// One that rustc has to compute, as in `#[doc = include_str!("weather.md")]`, is joined by rustc.
pub(crate) fn doc(attributes: &[Attribute]) -> Option<Expr> {
    let values: Vec<&Expr> = attributes.iter().filter_map(value).collect();
    match values
        .iter()
        .map(|value| literal(value))
        .collect::<Option<Vec<_>>>()
    {
        Some(texts) => {
            let lines: Vec<String> = texts.iter().flat_map(|text| lines(text)).collect();
            let text = dedented(&lines);
            (!text.is_empty()).then(|| parse_quote!(#text))
        }
        None => Some(concatenated(&values)),
    }
}

/// What stands behind `#[doc =`.
fn value(attribute: &Attribute) -> Option<&Expr> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    }
}

/// The text of a string literal, also inside the groups that `macro_rules!` wraps around it.
pub(crate) fn literal(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Group(group) => literal(&group.expr),
        Expr::Lit(expr) => match &expr.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The lines of one `///`, or of one `/** .. */` without its column of stars.
fn lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let rest = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    let is_starred = lines.len() > 1 && rest.clone().all(|line| line.trim_start().starts_with('*'));
    let line = |line: &str| match line.trim_start().strip_prefix('*') {
        Some(after) if is_starred => after.to_owned(),
        _ => line.to_owned(),
    };
    lines.into_iter().map(line).collect()
}

/// The lines without the space behind `///`, without the indent that all of them share, and
/// without blank ends.
fn dedented(lines: &[String]) -> String {
    // `#[doc = ".."]` has no such space: what it shares with `///` is counted behind it.
    let lines = lines
        .iter()
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let lines: Vec<&str> = lines.collect();
    let written = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let shared = written.map(indent).min().unwrap_or_default();
    let lines = lines
        .iter()
        .map(|line| line.get(shared..).unwrap_or("").trim_end());
    let text = lines.collect::<Vec<_>>().join("\n");
    text.trim_matches('\n').to_owned()
}

/// One line a value.
fn concatenated(values: &[&Expr]) -> Expr {
    let parts = values.iter().enumerate().map(|(index, value)| {
        let joint = (index > 0).then(|| quote!("\n",));
        match literal(value) {
            Some(text) => {
                let text = text.trim();
                quote!(#joint #text)
            }
            None => quote!(#joint #value),
        }
    });
    parse_quote!(::core::concat!(#(#parts),*))
}

#[cfg(test)]
mod tests {
    use super::{doc, literal};
    use quote::{ToTokens, quote};
    use syn::{Attribute, parse_quote};

    fn text(attributes: &[Attribute]) -> Option<String> {
        doc(attributes).as_ref().and_then(literal)
    }

    #[test]
    fn lines_lose_the_space_behind_the_slashes_and_keep_their_indent() {
        let attributes: [Attribute; 4] = [
            parse_quote!(#[doc = " Lists:"]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = "   - one"]),
            parse_quote!(#[doc = " end  "]),
        ];
        assert_eq!(text(&attributes).as_deref(), Some("Lists:\n\n  - one\nend"));
    }

    #[test]
    fn a_block_loses_its_stars() {
        let attributes: [Attribute; 1] = [parse_quote!(#[doc = "\n * Lists:\n * - one\n "])];
        assert_eq!(text(&attributes).as_deref(), Some("Lists:\n- one"));
    }

    #[test]
    fn no_comment_and_a_blank_one_are_none() {
        assert!(doc(&[]).is_none());
        assert!(doc(&[parse_quote!(#[doc = "  "])]).is_none());
    }

    #[test]
    fn a_computed_comment_keeps_its_other_lines() {
        let attributes: [Attribute; 2] = [
            parse_quote!(#[doc = " Adds"]),
            parse_quote!(#[doc = include_str!("add.md")]),
        ];
        let expected = quote!(::core::concat!("Adds", "\n", include_str!("add.md")));
        let doc = doc(&attributes).map(ToTokens::into_token_stream);
        assert_eq!(doc.map(|doc| doc.to_string()), Some(expected.to_string()));
    }
}
