//! `args`: the arguments struct has a name, so that a hook in another module can take it.
#![deny(warnings)]

mod support;

mod tools {
    /// Deploys.
    #[chatluna_tool::tool(args = DeployArgs, permission = crate::hooks::deploy)]
    pub async fn deploy(env: String, #[cfg(all())] dry: bool, #[cfg(any())] gone: Missing) -> bool {
        dry && env == "prod"
    }
}

mod hooks {
    use crate::tools::DeployArgs;
    use chatluna_tool::Permission;

    pub fn deploy(args: &DeployArgs) -> Permission {
        Permission::new(if args.dry { "deploy:dry" } else { "deploy:run" }).target(&args.env)
    }
}

fn main() {
    let arguments = serde_json::json!({"env": "prod", "dry": true});
    assert_eq!(support::call("deploy", arguments), "true");
}
