//! The `.stderr` files of `tests/ui` show every message of this crate.

use proc_macro2::{TokenStream, TokenTree};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

type Outcome<T> = Result<T, Box<dyn Error>>;

#[test]
fn every_message_is_in_lower_case_without_a_full_stop() -> Outcome<()> {
    let mut messages = messages()?;
    messages.retain(|message| message.starts_with(char::is_uppercase) || message.ends_with('.'));
    assert!(messages.is_empty(), "{messages:#?}");
    Ok(())
}

#[test]
fn every_message_is_shown_by_a_test() -> Outcome<()> {
    let shown = read_all(&root().join("../tests/ui"), "stderr")?.concat();
    let mut messages = messages()?;
    messages.retain(|message| !shown.contains(longest_fixed_part(message)));
    assert!(messages.is_empty(), "no test shows {messages:#?}");
    Ok(())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn messages() -> Outcome<Vec<String>> {
    let mut messages = Vec::new();
    for source in read_all(&root().join("src"), "rs")? {
        collect_messages(source.parse()?, &mut messages);
    }
    assert!(messages.len() > 30, "only {messages:?} are found");
    Ok(messages)
}

/// The texts of all files below `folder` with this extension.
fn read_all(folder: &Path, extension: &str) -> Outcome<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path: PathBuf = entry?.path();
        if path.is_dir() {
            texts.extend(read_all(&path, extension)?);
        } else if path.extension().is_some_and(|found| found == extension) {
            texts.push(fs::read_to_string(&path)?);
        }
    }
    Ok(texts)
}

/// A literal that reads `fact; remedy` is a message. Doc comments, which are attributes, are not.
fn collect_messages(tokens: TokenStream, messages: &mut Vec<String>) {
    let mut is_attribute = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) if !is_attribute => collect_messages(group.stream(), messages),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string());
                let text = text.map(|text| text.value()).unwrap_or_default();
                messages.extend(Some(text).filter(|text| text.contains("; ")));
            }
            _ => {}
        }
        is_attribute = match &token {
            TokenTree::Punct(punct) if punct.as_char() == '!' => is_attribute,
            TokenTree::Punct(punct) => punct.as_char() == '#',
            _ => false,
        };
    }
}

/// What stands between two placeholders.
fn longest_fixed_part(message: &str) -> &str {
    let parts = message.split(['{', '}']).step_by(2);
    parts.max_by_key(|part| part.len()).unwrap_or_default()
}
