use chatluna_tool::tool;

struct Forecast;

/// Does something.
#[tool]
async fn weather() -> Forecast {
    Forecast
}

fn main() {}
