use chatluna_tool::{tool, tool_type};

#[tool_type(name = "Place")]
struct City(#[serde(default)] String);

/// Tells the weather.
#[tool]
async fn weather(city: City) -> String {
    city.0
}

fn main() {}
