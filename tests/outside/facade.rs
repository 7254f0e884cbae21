//! Gives its users chatluna-tool under its own name, and tools of its own making.
#![deny(warnings, missing_docs)]

pub use chatluna_tool::{self, CallContext, tool};

/// A tool that answers
#[macro_export]
macro_rules! answer {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident, $answer:literal) => {
        #[doc = concat!("Answers with ", $answer)]
        $(#[$meta])*
        #[$crate::tool(crate = $crate::chatluna_tool, traits(effect = "read"))]
        $visibility fn $name() -> &'static str {
            $answer
        }
    };
}
