//! `mode`: whether the model is sent the tool or searches for it. A tool's own beats its toolset's.
#![deny(warnings)]

mod support;

use chatluna_tool::{ToolMode, tool, toolset};

/// Adds.
#[tool(mode = "search")]
async fn add() {}

/// Subtracts.
#[tool(mode = "direct")]
async fn subtract() {}

/// Multiplies.
#[tool(traits(parallel, deferred))]
async fn multiply() {}

/// Divides.
#[tool(mode = "search", traits(deferred))]
async fn divide() {}

/// Negates.
#[tool]
async fn negate() {}

struct Roots;

#[toolset(traits(deferred))]
impl Roots {
    /// Takes the square root.
    #[tool]
    async fn square() {}

    /// Takes the cube root.
    #[tool(mode = "direct")]
    async fn cube() {}
}

#[toolset(mode = "direct")]
mod bits {
    use super::tool;

    /// Shifts.
    #[tool]
    async fn shift() {}

    /// Inverts.
    #[tool(traits(deferred))]
    async fn invert() {}
}

fn main() {
    // The registry's: a session is not sent what its model searches for.
    let runtime = support::collected().approver(chatluna_tool::AllowAll).build();
    let runtime = runtime.expect("the tools fit together");
    let registry = runtime.registry();
    let mode = |name: &str| {
        let tool = registry.get(name);
        tool.expect("the tool is there").definition().mode()
    };
    for name in ["add", "multiply", "divide", "square", "bits_invert"] {
        assert_eq!(mode(name), Some(ToolMode::Search), "{name}");
    }
    for name in ["subtract", "cube", "bits_shift"] {
        assert_eq!(mode(name), Some(ToolMode::Direct), "{name}");
    }
    assert_eq!(mode("negate"), None);
}
