use chatluna_tool::tool;

fn text() -> String {
    String::new()
}
/// Does something.
#[tool]
async fn act(#[schemars(schema_with = "text")] count: u8) {
    let _ = count;
}

fn main() {}
