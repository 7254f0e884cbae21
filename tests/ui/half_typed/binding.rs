use chatluna_tool::tool;

/// Adds one.
#[tool(args = AddArgs, traits(effect = "read"))]
fn add(number: i64) -> i64 {
    let sum =
}

fn main() {
    add(AddArgs { number: 1 }.number);
}
