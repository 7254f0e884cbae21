use chatluna_tool::tool;

fn three() -> String {
    String::new()
}
/// Does something.
#[tool]
async fn act(#[serde(default = "three")] days: u8) {
    let _ = days;
}

fn main() {}
