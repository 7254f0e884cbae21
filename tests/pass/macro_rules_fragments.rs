//! Every kind of fragment that `macro_rules!` can pass on to a tool.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, Permission};

macro_rules! forwarded {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($(#[$on:meta])* $arg:ident: $ty:ty),*) -> $out:ty $body:block) => {
        $(#[$meta])*
        #[chatluna_tool::tool]
        $vis fn $name($($(#[$on])* $arg: $ty),*) -> $out $body
    };
}

forwarded! {
    /// Greets
    /// somebody.
    #[must_use]
    pub(crate) fn greet(
        /// The name.
        name: &str,
        others: &[String],
        #[allow(unused_variables)] call: &CallContext
    ) -> String { format!("{name}{others:?}") }
}
forwarded! {
    /** Says nothing. */
    fn silent() -> () {}
}

macro_rules! described {
    ($name:ident $text:expr; $title:literal $prefix:literal $effect:literal $timeout:literal; $path:path; $args:ident $arg:ident: $ty:ty, $state:ty) => {
        #[chatluna_tool::tool(
            description = $text, title = $title, prefix = $prefix, args = $args, crate = $path,
            traits(effect = $effect, timeout = $timeout),
            permission = |args| Permission::new("number").target(args.$arg.to_string()),
        )]
        async fn $name($arg: $ty, state: &$state) -> String {
            format!("{} {}", $arg, state.name())
        }
    };
}

described!(number concat!("Shows", " it."); "Number" "a" "read" 30_000; ::chatluna_tool; NumberArgs number: u8, CallContext);
described!(text TEXT; "Text" "b" "exec" "3s"; chatluna_tool; TextArgs text: String, CallContext);

const TEXT: &str = "Shows text.";

macro_rules! item {
    ($item:item) => {
        $item
    };
}

item! {
    /// Is an item.
    #[chatluna_tool::tool(prefix = module)]
    fn item() {}
}

macro_rules! tokens {
    ($attribute:tt $($token:tt)*) => {
        #[chatluna_tool::tool $attribute]
        $($token)*
    };
}

tokens! {
    (traits(parallel, effect = "write"), description = "Is made of tokens.")
    async fn tokens(_name: Option<String>) {}
}

fn main() {
    let arguments = serde_json::json!({"name": "you", "others": ["me"]});
    assert_eq!(support::call("greet", arguments), r#"you["me"]"#);
    assert_eq!(
        support::definition("greet").description(),
        "Greets\nsomebody."
    );
    assert_eq!(
        support::call("a_number", serde_json::json!({"number": 1})),
        "1 a_number"
    );
    assert_eq!(
        support::call("b_text", serde_json::json!({"text": "hi"})),
        "hi b_text"
    );
    assert_eq!(support::definition("b_text").description(), TEXT);
}
