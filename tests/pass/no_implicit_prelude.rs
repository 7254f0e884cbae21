//! A module without a prelude.
#![deny(warnings)]

mod support;

/// Where. It is out here because the derive of schemars needs `Into` in scope.
#[chatluna_tool::tool_type]
struct City {
    name: String,
}

#[no_implicit_prelude]
mod tools {
    use super::City;

    const NAME: &::core::primitive::str = "weather";

    /// Tells the weather.
    #[::chatluna_tool::tool(name = NAME, permission = |args| ::chatluna_tool::Permission::new("city").target(&args.city.name))]
    pub async fn weather(city: City) -> ::std::string::String {
        city.name
    }

    /// Tells the weather.
    #[::chatluna_tool::tool(args = BlockingArgs)]
    pub fn blocking(city: City, _call: &::chatluna_tool::CallContext) -> ::std::string::String {
        city.name
    }
}

fn main() {
    let arguments = serde_json::json!({"city": {"name": "Rome"}});
    assert_eq!(support::call("weather", arguments.clone()), "Rome");
    assert_eq!(support::call("blocking", arguments), "Rome");
}
