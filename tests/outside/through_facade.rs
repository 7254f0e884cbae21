//! Knows chatluna-tool through a facade alone.
#![deny(warnings, missing_docs)]

/// What is taken
#[facade::chatluna_tool::tool_type(crate = ::facade::chatluna_tool)]
pub struct Taken {
    number: i64,
}

/// Doubles
#[facade::tool(crate = ::facade::chatluna_tool, args = DoubleArgs, traits(effect = "read"))]
pub async fn double(taken: Taken, by: &str, call: &facade::CallContext) -> String {
    format!("{} {by} {}", taken.number * 2, call.name())
}

facade::answer! {
    #[must_use]
    pub fn ping, "pong"
}
