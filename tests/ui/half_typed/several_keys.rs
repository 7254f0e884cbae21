use chatluna_tool::tool;

/// Adds one.
#[tool(args = AddArgs, na, title = , traits(par, timeout = ))]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {
    drop(add(AddArgs { number: 1 }.number));
}
