use chatluna_tool::{Json, tool};

struct Forecast;

/// Does something.
#[tool]
async fn weather() -> Json<Forecast> {
    Json(Forecast)
}

fn main() {}
