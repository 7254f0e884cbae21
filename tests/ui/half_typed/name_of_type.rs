use chatluna_tool::tool;

/// Greets.
#[tool]
async fn greet(name: Weathe, call: &CallConte) -> usize {
    1
}

fn main() {
    let _ = greet;
}
