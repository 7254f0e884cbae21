//! `cfg` on the function removes everything beside it, wherever the `cfg` stands.
#![deny(warnings)]

mod support;

use chatluna_tool::{Permission, tool, tools};

mod numbers {
    use chatluna_tool::tool;

    const NAME: &str = "count";

    /// Is there.
    #[tool(args = CountArgs, name = NAME, prefix = module)]
    #[cfg(all())]
    pub fn count(here: u8) -> u8 {
        here
    }

    /// Would be the same function, arguments and hidden value.
    #[tool(args = CountArgs, name = MISSING, prefix = module, permission = |_| Missing)]
    #[cfg(not(all()))]
    pub fn count(here: Missing) -> Missing {
        here
    }

    /// Is above.
    #[cfg(any())]
    #[tool(args = CountArgs)]
    pub fn count() {}

    /// Is behind a condition.
    #[tool(args = CountArgs)]
    #[cfg_attr(all(), cfg(any()))]
    pub fn count() {}
}

/// Is only a tool here.
#[cfg_attr(all(), tool(name = "conditional", permission = |_| Permission::new("x")), must_use)]
fn conditional() -> u8 {
    1
}

/// Is only a function here.
#[cfg_attr(any(), tool(args = Missing))]
fn function() {}

#[tool]
#[cfg_attr(all(), doc = "Says so.")]
#[cfg_attr(any(), doc = "Does not.")]
fn described() {}

fn main() {
    function();
    let _ = (conditional(), numbers::CountArgs { here: 1 });
    assert_eq!(tools![numbers::count, conditional, described].len(), 3);
    assert_eq!(
        support::names(),
        ["conditional", "described", "numbers_count"]
    );
    assert_eq!(support::definition("described").description(), "Says so.");
}
