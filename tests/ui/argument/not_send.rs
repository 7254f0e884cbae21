use chatluna_tool::{tool, tool_type};
use std::rc::Rc;

#[tool_type]
struct City {
    #[serde(skip)]
    name: Option<Rc<str>>,
}

/// Tells the weather.
#[tool]
async fn weather(city: City) -> bool {
    city.name.is_none()
}

fn main() {}
