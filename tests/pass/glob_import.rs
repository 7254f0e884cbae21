//! A module is imported with `*`, and has a function of its own name.
#![deny(warnings)]

mod support;

mod weather {
    use chatluna_tool::tool;

    /// Tells the weather.
    #[tool(args = WeatherArgs)]
    pub async fn weather(city: String) -> String {
        city
    }

    /// Tells the time.
    #[tool]
    pub fn time() -> u8 {
        12
    }
}
use weather::*;

mod again {
    pub use super::weather::*;
}

fn main() {
    let _ = weather(
        WeatherArgs {
            city: String::new(),
        }
        .city,
    );
    let _ = (again::weather, again::time);
    assert_eq!(
        chatluna_tool::tools![weather, time, weather::time, again::weather].len(),
        4
    );
    assert_eq!(support::names(), ["time", "weather"]);
    let arguments = serde_json::json!({"city": "Rome"});
    assert_eq!(support::call("weather", arguments), "Rome");
}
