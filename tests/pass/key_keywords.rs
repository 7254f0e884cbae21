//! `keywords`: literals and constants; those of a toolset are added to a tool's own.
#![deny(warnings)]

mod support;

use chatluna_tool::{tool, toolset};

const SNOW: &str = "snow";

/// Tells the weather.
#[tool(keywords = ["rain", SNOW, concat!("do I need ", "an umbrella?"), "天气"])]
async fn weather(city: String) -> String {
    city
}

struct Tides;

#[toolset(keywords = ["sea", Tides::MOON])]
impl Tides {
    const MOON: &str = "moon";

    /// Tells when the water is low.
    #[tool(keywords = ["ebb", Self::SAND,])]
    async fn low() {}

    const SAND: &str = "sand";

    /// Tells when the water is high.
    #[tool]
    async fn high() {}
}

fn main() {
    let keywords = |name: &str| {
        let definition = support::definition(name);
        definition.keywords().map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = ["rain", "snow", "do I need an umbrella?", "天气"];
    assert_eq!(keywords("weather"), expected);
    assert_eq!(keywords("low"), ["ebb", "sand", "sea", "moon"]);
    assert_eq!(keywords("high"), ["sea", "moon"]);
}
