//! Doc comments as text for the model.

use crate::attribute::literal;
use syn::{Attribute, Expr, Lit, Meta};

/// A doc comment: its text, or an expression in a `#[doc = ..]` that is no literal.
pub(crate) enum Doc {
    Text(String),
    Computed(Box<Expr>),
}

/// The doc comment among the attributes; without one, empty text.
pub(crate) fn doc(attributes: &[Attribute]) -> Doc {
    let mut lines = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(meta) = &attribute.meta else {
            continue;
        };
        if !meta.path.is_ident("doc") {
            continue;
        }
        match literal(&meta.value) {
            Some(Lit::Str(text)) => lines.extend(text.value().lines().map(str::to_owned)),
            _ => return Doc::Computed(Box::new(meta.value.clone())),
        }
    }
    Doc::Text(dedented(&lines))
}

/// The lines without the indent that all of them share, and without blank ends.
fn dedented(lines: &[String]) -> String {
    let written = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let shared = written.map(indent).min().unwrap_or_default();
    let lines = lines
        .iter()
        .map(|line| line.get(shared..).unwrap_or("").trim_end());
    let text = lines.collect::<Vec<_>>().join("\n");
    text.trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Doc, doc};
    use syn::{Attribute, parse_quote};

    fn text(attributes: &[Attribute]) -> String {
        match doc(attributes) {
            Doc::Text(text) => text,
            Doc::Computed(_) => panic!("not computed"),
        }
    }

    #[test]
    fn lines_lose_the_space_behind_the_slashes_and_keep_their_indent() {
        let attributes: [Attribute; 4] = [
            parse_quote!(#[doc = " Lists:"]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = "   - one"]),
            parse_quote!(#[doc = " end  "]),
        ];
        assert_eq!(text(&attributes), "Lists:\n\n  - one\nend");
    }

    #[test]
    fn no_comment_is_empty_text() {
        assert_eq!(text(&[]), "");
    }
}
