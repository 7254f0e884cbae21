use chatluna_tool::{Permission, tool};

/// Adds one.
#[tool(permission = hook)]
async fn add(number: i64) -> i64 {
    number + 1
}

fn hook(_number: i64) -> Permission {
    Permission::new("math:add")
}

fn main() {}
