//! Results in a provider's parts: text as text, media in its own form or described.

use crate::call::ToolResult;
use crate::output::{Content, Media, encoded, picture_controls};
use serde_json::Value;
use std::borrow::Cow;

/// All of a result as text, of each other part a description and why there is nothing but that.
pub(super) fn text<'result>(
    result: &'result ToolResult,
    why: impl Fn(&Content) -> &'static str,
) -> Cow<'result, str> {
    let is_text = |part: &Content| part.as_text().is_some();
    if result.content().iter().all(is_text) {
        return picture_controls(result.text());
    }
    let parts = result
        .content()
        .iter()
        .map(|part| part.described(why(part)));
    let parts: Vec<String> = parts.collect();
    picture_controls(parts.join("\n").into())
}

/// A result as a list of parts, or as a text where a provider shows nothing else of it.
pub(super) fn value(
    result: &ToolResult,
    text: impl Fn(&str) -> Value,
    media: impl Fn(&Content) -> Option<Value>,
    why: &'static str,
) -> Value {
    match parts(result, text, media, why) {
        Some(parts) => parts.into(),
        None => self::text(result, |_| why).into(),
    }
}

/// The parts of a result in which a provider shows something of its own; `None` where there is
/// nothing but text, which is then one text.
///
/// What the provider has no form for is text that describes it. Text without anything to read is
/// left out: some refuse it.
pub(super) fn parts(
    result: &ToolResult,
    text: impl Fn(&str) -> Value,
    media: impl Fn(&Content) -> Option<Value>,
    why: &str,
) -> Option<Vec<Value>> {
    // A failure is told in words: some refuse more.
    if result.error().is_some() {
        return None;
    }
    let forms: Vec<Option<Value>> = result.content().iter().map(media).collect();
    if forms.iter().all(Option::is_none) {
        return None;
    }
    let parts = result.content().iter().zip(forms);
    let parts = parts.filter_map(|(part, form)| {
        form.or_else(|| {
            let described = picture_controls(part.described(why).into());
            Some(text(&described)).filter(|_| !described.trim().is_empty())
        })
    });
    Some(parts.collect())
}

/// `data:image/png;base64,iVBO..`.
pub(super) fn data_url(media: &Media) -> String {
    format!(
        "data:{};base64,{}",
        media.mime_type(),
        encoded(media.bytes())
    )
}
