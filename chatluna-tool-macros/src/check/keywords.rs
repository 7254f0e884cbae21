//! Check: the keywords, which go into the index of `tool_search`.

use crate::attribute::Attribute;
use crate::report::Report;
use crate::text::literal;
use crate::value::is_literal_but_no_string;
use std::collections::BTreeSet;
use syn::Expr;

/// As the runtime has them, which says why.
const MAX_KEYWORDS: usize = 50;
const MAX_BYTES: usize = 300;

/// The keywords of one attribute. Those that are constants are rustc's to check.
pub(super) fn check(attribute: &Attribute, report: &mut Report) {
    let Some(list) = &attribute.keywords else {
        return;
    };
    if list.elems.is_empty() {
        report.on(
            list,
            "the list of keywords is empty; write one or remove `keywords`",
        );
    }
    check_count(list.elems.iter(), report);
    let mut seen = BTreeSet::new();
    for keyword in &list.elems {
        check_keyword(keyword, &mut seen, report);
    }
}

/// What a tool and its toolset say together.
pub(crate) fn check_shared(own: &Attribute, toolset: &Attribute, report: &mut Report) {
    let shared = toolset.keywords.iter().flat_map(|list| &list.elems);
    let words: BTreeSet<String> = shared.clone().filter_map(word).collect();
    let own = own.keywords.iter().flat_map(|list| &list.elems);
    for keyword in own.clone() {
        if word(keyword).is_some_and(|word| words.contains(&word)) {
            let message = "the toolset gives this keyword to all its tools; remove it here";
            report.on(keyword, message);
        }
    }
    // Too many in one list are reported there.
    if shared.clone().count() <= MAX_KEYWORDS && own.clone().count() <= MAX_KEYWORDS {
        check_count(shared.chain(own), report);
    }
}

fn check_count<'a>(mut keywords: impl Iterator<Item = &'a Expr>, report: &mut Report) {
    if let Some(extra) = keywords.nth(MAX_KEYWORDS) {
        report.on(
            extra,
            format_args!("a tool has {MAX_KEYWORDS} keywords at most; keep those that differ most"),
        );
    }
}

fn check_keyword(keyword: &Expr, seen: &mut BTreeSet<String>, report: &mut Report) {
    if is_literal_but_no_string(keyword) {
        report.on(keyword, "a keyword is text; put it in quotes");
    }
    let Some((text, word)) = literal(keyword).zip(word(keyword)) else {
        return;
    };
    let length = text.len();
    if word.is_empty() {
        report.on(keyword, "the keyword is blank; remove it");
    } else if length > MAX_BYTES {
        report.on(keyword, format_args!("the keyword has {length} bytes, {MAX_BYTES} at most are of use; shorten it, or make several of it"));
    } else if !seen.insert(word) {
        report.on(keyword, "the keyword is given twice; keep one");
    }
}

/// The keyword as it is searched for: case does not count.
fn word(keyword: &Expr) -> Option<String> {
    literal(keyword).map(|text| text.trim().to_lowercase())
}
