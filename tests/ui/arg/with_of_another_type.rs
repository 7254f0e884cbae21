use chatluna_tool::tool;

fn read<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    serde::Deserialize::deserialize(from)
}
/// Does something.
#[tool]
async fn act(#[serde(deserialize_with = "read")] #[schemars(with = "String")] count: u8) {
    let _ = count;
}

fn main() {}
