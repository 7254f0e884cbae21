use chatluna_tool::tool;

/// Does something.
#[tool]
async fn show(value: &impl ToString) -> String {
    value.to_string()
}

fn main() {}
