//! A comment of `///` and `#[doc]` lines is dedented as rustdoc dedents it.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

/// Counts
#[doc = "words."]
/// - all of them
///   - twice
#[tool]
#[cfg_attr(all(), doc = "At last.")]
async fn count() {}

fn main() {
    assert_eq!(
        support::definition("count").description(),
        "Counts\nwords.\n- all of them\n  - twice\nAt last."
    );
}
