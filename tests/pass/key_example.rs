//! `example`: repeatable, a literal or a constant; `testing::check_all` tries each.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;
use serde_json::json;

const TOKYO: &str = r#"{"city": "東京", "days": 2}"#;

/// Tells the weather.
#[tool(example = r#"{"city": "Oslo"}"#, example = TOKYO)]
async fn weather(city: String, days: Option<u8>) -> String {
    format!("{city} {days:?}")
}

fn main() {
    let examples = [json!({"city": "Oslo"}), json!({"city": "東京", "days": 2})];
    assert_eq!(support::definition("weather").examples(), examples);
    #[cfg(any(feature = "inventory", feature = "linkme"))]
    chatluna_tool::testing::check_all();
}
