use chatluna_tool::tool;

/// Adds one.
#[tool(
    prefix = "math_math_math_math_math_math_math_math_math_math_math_math_",
    name = "add_one"
)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn main() {}
