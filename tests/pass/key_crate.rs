//! `crate`: generated code goes through a facade.
#![deny(warnings)]

mod support;

pub mod facade {
    pub mod tools {
        pub use ::chatluna_tool::*;
    }
    pub use ::chatluna_tool::__private;
}

use facade::tools::{tool, tool_type};

const NAME: &str = "named";

#[tool_type(crate = crate::facade::tools)]
struct City {
    name: String,
}

/// Tells the weather.
#[tool(crate = crate::facade::tools, prefix = "a", name = NAME)]
async fn weather(city: City) -> String {
    city.name
}

/// Tells the weather.
#[tool(crate = facade)]
fn again(city: City) -> String {
    city.name
}

fn main() {
    let arguments = serde_json::json!({"city": {"name": "Rome"}});
    assert_eq!(support::call("a_named", arguments.clone()), "Rome");
    assert_eq!(support::call("again", arguments), "Rome");
}
