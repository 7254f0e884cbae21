use chatluna_tool::tool;

/// Adds one.
#[tool(args = AddArgs, permission = |args| args.)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {
    drop(add(AddArgs { number: 1 }.number));
}
