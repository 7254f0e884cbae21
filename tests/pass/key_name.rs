//! `name`: a literal, a const, a const with a prefix.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

const NAME: &str = "get-weather";

/// Tells the weather.
#[tool(name = "forecast")]
async fn literal() {}

/// Tells the weather.
#[tool(name = NAME)]
async fn constant() {}

/// Tells the weather.
#[tool(name = NAME, prefix = "cn")]
async fn prefixed() {}

/// Tells the weather.
#[tool(name = concat!("weather", "_", 2))]
async fn computed() {}

fn main() {
    assert_eq!(
        support::names(),
        ["cn_get-weather", "forecast", "get-weather", "weather_2"]
    );
}
