//! Modules that are called like the standard library, and like ours.
#![deny(warnings)]

mod support;

mod std {}
mod core {}
mod alloc {}
mod chatluna_tool {}
mod serde {}
mod schemars {}
mod inventory {}

/// Where.
#[::chatluna_tool::tool_type]
enum City {
    Rome,
    Oslo(u8),
}

/// Tells the weather.
#[::chatluna_tool::tool(name = concat!("weather", "_now"))]
async fn weather(city: City) -> u8 {
    match city {
        City::Rome => 0,
        City::Oslo(district) => district,
    }
}

fn main() {
    assert_eq!(
        support::call("weather_now", serde_json::json!({"city": {"Oslo": 3}})),
        "3"
    );
}
