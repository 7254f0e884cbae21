//! `description`, or the doc comment in each of its forms.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

const TEXT: &str = "From a const";

/// For people.
#[tool(description = "For the model")]
async fn key() {}

#[tool(description = TEXT)]
async fn constant() {}

/// First line
///   - indented
#[tool]
async fn lines() {}

/**
 * Starred
 * block
 */
#[tool]
async fn block() {}

/// Head
#[doc = concat!("computed", " tail")]
#[tool]
async fn mixed() {}

fn main() {
    let description = |name| support::definition(name).description().to_owned();
    assert_eq!(description("key"), "For the model");
    assert_eq!(description("constant"), "From a const");
    assert_eq!(description("lines"), "First line\n  - indented");
    assert_eq!(description("block"), "Starred\nblock");
    assert_eq!(description("mixed"), "Head\ncomputed tail");
}
