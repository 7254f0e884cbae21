//! `macro_rules!` that passes everything in.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, Permission};

macro_rules! tools {
    ($(
        $(#[$meta:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),*; $state:ty) -> $output:ty $body:block
        as $tool:expr, $title:literal, $effect:literal, $timeout:literal, $hook:expr;
    )*) => {$(
        $(#[$meta])*
        #[chatluna_tool::tool(
            name = $tool, title = $title, permission = $hook,
            traits(effect = $effect, timeout = $timeout),
        )]
        $visibility async fn $name($($argument: $type,)* call: $state) -> $output {
            let _ = call;
            $body
        }
    )*};
}

tools! {
    /// Adds.
    pub fn add(left: i64, right: Option<i64>; &CallContext) -> Option<i64> { right.map(|right| left + right) }
    as "plus", "Plus", "read", 5, |args| Permission::new("add").target(args.left.to_string());

    /// Echoes.
    fn echo(text: String; &CallContext) -> String { text }
    as NAME, "Echo", "write", 6, |_| Permission::new("echo");
}

const NAME: &str = "say";

macro_rules! fixed {
    ($name:ident, $doc:expr, $krate:path, $args:ident) => {
        #[doc = $doc]
        #[chatluna_tool::tool(crate = $krate, args = $args)]
        fn $name(number: u8, call: &CallContext) -> String {
            format!("{number} {}", call.name())
        }
    };
}

fixed!(shown, "Shows a number.", ::chatluna_tool, ShownArgs);
fixed!(
    hidden,
    concat!("Shows", " it."),
    ::chatluna_tool,
    HiddenArgs
);

fn main() {
    let arguments = serde_json::json!({"left": 1, "right": 2});
    assert_eq!(support::call("plus", arguments), "3");
    assert_eq!(
        support::call("say", serde_json::json!({"text": "hi"})),
        "hi"
    );
    assert_eq!(
        support::call("shown", serde_json::json!({"number": 1})),
        "1 shown"
    );
    assert_eq!(support::definition("hidden").description(), "Shows it.");
}
