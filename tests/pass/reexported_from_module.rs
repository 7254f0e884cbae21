//! A module, its function and its tool share one name.
#![deny(warnings)]

mod support;

mod weather {
    /// Tells the weather.
    #[chatluna_tool::tool]
    pub async fn weather(city: String) -> String {
        city
    }
}
pub use weather::weather;

fn main() {
    let _ = weather;
    assert_eq!(
        support::call("weather", serde_json::json!({"city": "Rome"})),
        "Rome"
    );
}
