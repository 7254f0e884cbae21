//! Tools of another crate: the tests link them and name nothing but the crate.

use chatluna_tool::tool;

/// Greets somebody
#[tool(traits(parallel, effect = "read"))]
pub async fn greet(name: String) -> String {
    format!("hello {name}")
}

/// Says goodbye
#[tool(prefix = "linked", traits(effect = "read"))]
pub fn goodbye() {}

/// Tools with the names of others.
pub mod copies {
    use chatluna_tool::tool;

    /// Greets somebody, too
    #[tool(name = "greet_copy", traits(effect = "read"))]
    pub async fn greet(name: String) -> String {
        super::greet(name).await
    }
}
