use chatluna_tool::tool;

/// Does something.
#[tool]
async fn show(value: &dyn ToString) -> String {
    value.to_string()
}

fn main() {}
