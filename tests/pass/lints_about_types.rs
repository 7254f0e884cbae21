//! What a lint attribute says of the signature holds for what is made of the signature.
#![deny(warnings)]

mod support;

use chatluna_tool::{Json, tool, tool_type};

/// Has names of somebody else's API.
#[tool(args = NamesArgs)]
#[expect(non_snake_case, reason = "the API calls it so")]
async fn names(cityName: String, #[allow(non_snake_case)] countryCode: &str) -> String {
    cityName + countryCode
}

/// Has them in the hidden struct.
#[expect(non_snake_case)]
#[tool]
async fn hidden(cityName: String) -> String {
    cityName
}

mod old {
    #[deprecated]
    pub type City = String;
}

/// Takes what is old.
#[tool(args = OldArgs)]
#[expect(deprecated)]
async fn takes_old(city: old::City) -> usize {
    city.len()
}

#[tool_type]
struct Private {
    number: u8,
}

/// Takes what others cannot name.
#[tool(args = PrivateArgs)]
#[expect(private_interfaces)]
pub async fn takes_private(private: Private) -> Json<Private> {
    Json(private)
}

fn main() {
    let arguments = serde_json::json!({"cityName": "Rome", "countryCode": "IT"});
    assert_eq!(support::call("names", arguments), "RomeIT");
}
