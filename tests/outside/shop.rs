//! Tools that are reached by other paths than they are written at.
#![deny(warnings, missing_docs)]

mod orders {
    /// Orders
    #[chatluna_tool::tool(args = OrderArgs, traits(effect = "read"))]
    pub async fn order(name: String, count: u8) -> String {
        format!("{count} {name}")
    }
}

pub use orders::{OrderArgs, order};

/// The same behind `*`.
pub mod all {
    pub use crate::orders::*;
}
