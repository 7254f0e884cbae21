// #[tool(
//     title = "Deploy",
//     args = DeployArgs,
//     permission = |args|Permission::new("deploy:run").target(&args.env),
//     visibility = hooks::is_operator,
// )]
// /// Deploys.
// pub(crate) async fn deploy(env: String) {}

/// Deploys.
pub(crate) async fn deploy(env: String) {}
/// The arguments of `deploy`.
#[allow(non_camel_case_types, dead_code)]
pub(crate) struct DeployArgs {
    /// The argument `env`.
    pub(crate) env: String,
}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
pub(crate) const __chatluna_tool_deploy: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    const __OUTPUT: __private::Output<()> = __private::output::<()>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:deploy",
        title: ::core::option::Option::Some("Deploy"),
        description: "Deploys.",
        traits: __private::Traits::new(),
        parameters: &[__private::parameter::<String>("env", "")],
        hints: ::core::option::Option::None,
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::Some({
            let hook: fn(&__private::SessionInfo) -> ::core::primitive::bool = hooks::is_operator;
            hook
        }),
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<String>;
            input.read(&mut [&mut slot_0])?;
            __private::prepared(
                DeployArgs {
                    env: __private::filled(slot_0)?,
                },
                const {
                    &__private::Hooks::<DeployArgs> {
                        permission: ::core::option::Option::Some({
                            let hook: fn(&DeployArgs) -> __private::Permission = |args| {
                                Permission::new("deploy:run").target(&args.env)
                            };
                            hook
                        }),
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT.convert)(deploy(arguments.env).await)
                        }),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "deploy",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
