//! Attributes of the language below and above `#[tool]`.
#![deny(warnings)]

mod support;

use chatluna_tool::{Permission, tool, tools};

/// Is old.
#[tool(args = OldArgs, permission = |args| Permission::new("old").target(&args.city))]
#[deprecated(since = "1.0.0", note = "ask `new`")]
#[doc(hidden)]
pub async fn old(city: String) -> String {
    city
}

/// Must be used.
#[must_use = "it is all it does"]
#[tool]
#[cold]
#[inline(never)]
#[doc(alias = "answer")]
fn must_use() -> u8 {
    42
}

#[tool]
/// Has its comment below,
#[doc = " and more of it."]
async fn described() {}

mod strict {
    /// The result is used.
    #[chatluna_tool::tool]
    #[must_use]
    pub fn result() -> Result<u8, chatluna_tool::ToolError> {
        Ok(1)
    }
}

fn main() {
    let _ = tools![old, must_use, described, strict::result];
    let _ = (must_use(), strict::result());
    let arguments = serde_json::json!({"city": "Rome"});
    assert_eq!(support::call("old", arguments), "Rome");
    let described = support::definition("described");
    assert_eq!(
        described.description(),
        "Has its comment below,\nand more of it."
    );
}
