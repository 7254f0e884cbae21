//! Generated code is silent under the strictest lints.
#![deny(
    missing_docs,
    warnings,
    unused,
    unreachable_pub,
    future_incompatible,
    nonstandard_style
)]
#![deny(
    rust_2018_idioms,
    missing_debug_implementations,
    unused_qualifications,
    let_underscore_drop
)]
#![deny(
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_results,
    elided_lifetimes_in_paths
)]
#![deny(
    unused_lifetimes,
    variant_size_differences,
    redundant_lifetimes,
    missing_copy_implementations
)]
#![forbid(unsafe_code)]

#[expect(unreachable_pub, reason = "the bin's only module with helpers")]
mod support;

/// Tools.
pub mod tools {
    use chatluna_tool::{CallContext, Permission, tool};

    const NAME: &str = "named";

    /// Deploys.
    #[tool(args = DeployArgs, name = NAME, prefix = "a", title = "Deploy",
        visibility = |_| true, permission = |args| Permission::new("a").target(&args.env))]
    pub async fn deploy(env: String, call: &CallContext) -> String {
        env + call.name()
    }

    /// Is deprecated.
    #[tool(traits(parallel, effect = "read", timeout = 5))]
    #[deprecated]
    #[must_use]
    pub fn old(_number: Option<u8>) -> u8 {
        1
    }

    /// Does nothing.
    #[tool]
    pub async fn nothing() {}

    /// Is private.
    #[tool(args = PrivateArgs)]
    #[inline]
    async fn private(_number: u8) {}
}

fn main() {
    assert_eq!(support::call("old", serde_json::json!({})), "1");
}
