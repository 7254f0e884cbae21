//! `prefix`: before the function's name and before `name`; empty is none.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

/// Adds.
#[tool(prefix = "math")]
async fn add() {}

/// Subtracts.
#[tool(prefix = "math", name = "minus")]
async fn subtract() {}

/// Multiplies.
#[tool(prefix = "")]
async fn times() {}

mod text {
    const COUNT: &str = "word_count";

    /// Trims.
    #[chatluna_tool::tool(prefix = module)]
    pub async fn trim() {}

    /// Counts.
    #[chatluna_tool::tool(prefix = module, name = COUNT)]
    pub async fn count() {}

    /// Is the module's main tool.
    #[chatluna_tool::tool(prefix = module)]
    pub async fn text() {}
}

mod r#type {
    /// Tells the type.
    #[chatluna_tool::tool(prefix = module)]
    pub fn of() {}
}

fn main() {
    let names = support::names();
    let expected = ["math_add", "math_minus", "text", "text_trim", "text_word_count", "times", "type_of"];
    assert_eq!(names, expected);
}
