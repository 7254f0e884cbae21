use chatluna_tool::tool;

#[derive(serde::Deserialize)]
struct City(String);

/// Does something.
#[tool]
async fn weather(cities: Vec<City>) -> String {
    cities[0].0.clone()
}

fn main() {}
