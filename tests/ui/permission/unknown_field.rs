use chatluna_tool::{Permission, tool};

/// Deploys.
#[tool(permission = |args| Permission::new("deploy:run").target(&args.environment))]
async fn deploy(env: String) -> String {
    env
}

fn main() {}
