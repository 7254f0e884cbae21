//! The crate has another name in this `Cargo.toml`.
#![deny(warnings)]

use ct::{Permission, tool, tool_type, tools};

const NAME: &str = "renamed_add";

/// A pair
#[tool_type(crate = ::ct)]
pub struct Pair {
    pub left: i64,
    pub right: Option<i64>,
}

/// Adds
#[tool(crate = ::ct, name = NAME, permission = |_| Permission::new("add"), traits(effect = "read"))]
pub async fn add(pair: Pair, more: &[i64]) -> i64 {
    pair.left + pair.right.unwrap_or_default() + more.iter().sum::<i64>()
}

/// Counts the tools
#[ct::tool(crate = ::ct, traits(effect = "read"))]
pub fn renamed_count() -> usize {
    tools![add, renamed_count].len()
}
