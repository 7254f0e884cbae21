//! Names of primitive types mean something else here.
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

mod support;

type str = ();
type u8 = ();
type u64 = ();
type bool = ();
const NAME: &::core::primitive::str = "named";

/// Adds.
#[chatluna_tool::tool(name = NAME, title = "Add", visibility = |_| true, traits(timeout = 5))]
async fn add(left: i64, right: Option<i64>) -> i64 {
    left + right.unwrap_or(0)
}

fn main() {
    assert_eq!(support::call("named", serde_json::json!({"left": 2})), "2");
}
