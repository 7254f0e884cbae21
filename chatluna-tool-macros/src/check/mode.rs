//! Check: the mode of a tool.

use crate::attribute::Attribute;
use crate::report::Report;
use crate::suggest::{MODES, instead_of};

pub(super) fn check(attribute: &Attribute, report: &mut Report) {
    let Some(mode) = &attribute.mode else {
        return;
    };
    match (mode.value().as_str(), &attribute.deferred) {
        ("search", _) | ("direct", None) => {}
        ("direct", Some(deferred)) => report.on(
            deferred,
            "`deferred` means `mode = \"search\"`, but the mode is \"direct\"; remove one of them",
        ),
        ("auto", _) => report.on(
            mode,
            "`auto` is a mode of sessions and of the runtime; write `search` or `direct`",
        ),
        (word, _) => report.on(mode, unknown(word)),
    }
}

fn unknown(word: &str) -> String {
    let instead = instead_of(word, &MODES);
    let instead = instead.as_deref().unwrap_or("`search` or `direct`");
    format!("unknown mode `{word}`; write {instead}")
}
