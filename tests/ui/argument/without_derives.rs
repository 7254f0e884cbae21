use chatluna_tool::tool;

struct City(String);

/// Does something.
#[tool]
async fn weather(city: City) -> String {
    city.0
}

fn main() {}
