//! Names of the prelude mean something else here.
#![deny(warnings)]
#![allow(dead_code)]

mod support;

struct Result;
struct Option;
struct String;
struct Vec;
struct Box;
trait Send {}
trait Sync {}
trait Sized {}
trait Fn {}
trait From {}
trait Into {}
struct Some;
struct Ok;
struct Err;
struct None;
fn drop() {}
const NAME: &::core::primitive::str = "named";

/// Adds.
#[chatluna_tool::tool(name = NAME, prefix = "a", title = "Add", visibility = |_| true,
    permission = |_| chatluna_tool::Permission::new("add"), traits(timeout = 5, effect = "read"))]
async fn add(
    /// The left one.
    left: i64,
    right: ::std::option::Option<i64>,
    call: &chatluna_tool::CallContext,
) -> ::std::result::Result<::std::string::String, chatluna_tool::ToolError> {
    ::std::result::Result::Ok(format!("{} {}", left + right.unwrap_or(0), call.name()))
}

/// Adds.
#[chatluna_tool::tool]
fn blocking(left: i64) -> i64 {
    left
}

#[chatluna_tool::tool_type]
struct City {
    name: ::std::string::String,
    days: ::std::option::Option<::std::vec::Vec<i64>>,
}

fn main() {
    assert_eq!(
        support::call("a_named", serde_json::json!({"left": 2})),
        "2 a_named"
    );
}
