//! `tools!` names tools by their defining paths; a re-exported module is one.
#![deny(warnings)]
#![forbid(unsafe_code)]

mod support;

use chatluna_tool::{Runtime, tool, tools};

/// One
#[tool(traits(effect = "read"))]
async fn one() {}

mod weather {
    /// Two
    #[chatluna_tool::tool(traits(effect = "read"))]
    pub async fn weather() {}

    /// Three
    #[chatluna_tool::tool(traits(effect = "read"))]
    pub(crate) fn r#type() {}
}

mod again {
    pub(crate) use crate::weather;
}

fn main() {
    let runtime = Runtime::builder().tools(tools![one, again::weather::weather, self::weather::r#type,]);
    let runtime = runtime.expect_tools(["one", "type", "weather"]).build().unwrap();
    assert_eq!(runtime.registry().tools().len(), 3);
    // What is collected too is taken once.
    let both = support::collected().tools(tools![one]).build().unwrap();
    assert_eq!(both.registry().tools().len(), 3);
    assert_eq!(Runtime::builder().tools(tools![]).build().unwrap().registry().tools().len(), 0);
}
