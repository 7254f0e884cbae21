//! Two tools of one Rust name, and both beside each other under other names.
#![deny(warnings)]

mod support;

mod first {
    /// Adds.
    #[chatluna_tool::tool(prefix = "first")]
    pub async fn add() {}
}

mod second {
    /// Adds.
    #[chatluna_tool::tool(prefix = "second")]
    pub async fn add() {}
}

use first::add;
use second::add as add_again;

fn main() {
    let _ = (add, add_again);
    assert_eq!(support::names(), ["first_add", "second_add"]);
}
