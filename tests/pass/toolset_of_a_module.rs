//! `#[toolset]` on an inline module: its name is the prefix; `tools![text::*]`; collected too.
#![deny(warnings)]

mod support;

use chatluna_tool::{Runtime, tools, toolset};
use serde_json::json;

#[toolset(traits(effect = "read", parallel))]
mod text {
    #![allow(clippy::needless_pass_by_value)]
    use chatluna_tool::tool;

    /// Joins words.
    #[tool]
    pub(super) async fn join(words: &[String]) -> String {
        glued(words)
    }

    /// Counts words.
    #[chatluna_tool::tool(prefix = "word", traits(effect = "write"))]
    fn count(text: String) -> usize {
        text.split(' ').count()
    }

    /// Is inside.
    #[chatluna_tool::toolset(prefix = "")]
    pub(super) mod inner {
        /// Shouts.
        #[chatluna_tool::tool]
        pub(crate) async fn shout(text: &str) -> String {
            text.to_uppercase()
        }
    }

    fn glued(words: &[String]) -> String {
        words.concat()
    }

    #[cfg(test)]
    mod tests {}
}

fn main() {
    assert_eq!(support::names(), ["shout", "text_join", "word_count"]);
    assert_eq!(support::call("text_join", json!({"words": ["a", "b"]})), "ab");
    assert_eq!(support::call("word_count", json!({"text": "a b"})), "2");
    assert_eq!(support::call("shout", json!({"text": "a"})), "A");
    let named = Runtime::builder().tools(tools![text::*, text::inner::shout, text::join]);
    let named = named.policy(chatluna_tool::PermissionPolicy::new()).build().unwrap();
    assert_eq!(named.registry().tools().len(), 3);
    let effects: Vec<_> = named.registry().tools().iter().map(|tool| tool.definition().effect().as_str()).collect();
    assert_eq!(effects, ["exec", "read", "write"]);
}
