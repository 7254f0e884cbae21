use chatluna_tool::tool;

struct City;
/// Does something.
#[tool]
async fn act(#[schemars(with = "String")] city: City) {
    let _ = city;
}

fn main() {}
