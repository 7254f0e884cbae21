use chatluna_tool::tool;

/// Does something.
#[tool]
async fn act(#[arg(rename = "city")] town: String, city: String) {
    let _ = (town, city);
}

fn main() {}
