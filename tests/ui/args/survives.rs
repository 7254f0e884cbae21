use chatluna_tool::{Permission, tool};

/// Adds one.
#[tool(args = AddArgs, permission = hook, colour = "red")]
async fn add(number: i64) -> i64 {
    number + 1
}

fn hook(args: &AddArgs) -> Permission {
    Permission::new("add").target(args.number.to_string())
}

fn main() {}
