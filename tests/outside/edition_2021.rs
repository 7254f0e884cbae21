//! A crate of an older edition.
#![deny(warnings, rust_2024_compatibility)]

use chatluna_tool::{tool, tool_type, CallContext, Permission};

const NAME: &str = "old_weather";

/// A place
#[tool_type]
pub struct Place {
    pub name: String,
}

/// Tells the weather
#[tool(name = NAME, args = WeatherArgs, permission = |args| Permission::new("weather").target(&args.place.name), traits(effect = "read"))]
pub async fn weather(place: Place, r#gen: Option<u8>, call: &CallContext) -> String {
    format!("{} {gen:?} {}", place.name, call.name())
}

/// Counts words
#[tool(prefix = module, traits(effect = "read"))]
pub fn count(words: &[String]) -> usize {
    chatluna_tool::tools![weather, count].len() + words.len()
}
