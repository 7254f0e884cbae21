//! Tools inside of function bodies and of blocks.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

fn main() {
    const NAME: &str = "local_name";
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Local(u8);

    /// Adds one.
    #[tool(args = AddOneArgs)]
    async fn add_one(number: Local) -> u8 {
        number.0 + 1
    }

    if support::names().len() == 2 {
        /// Adds two.
        #[tool(name = NAME)]
        fn add_two(number: Local) -> u8 {
            number.0 + 2
        }
        let _ = add_two;
    }
    let _ = |arguments: AddOneArgs| add_one(arguments.number);
    assert_eq!(
        support::call("add_one", serde_json::json!({"number": 1})),
        "2"
    );
    assert_eq!(
        support::call("local_name", serde_json::json!({"number": 1})),
        "3"
    );
}
