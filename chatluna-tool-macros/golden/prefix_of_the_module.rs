// #[tool(prefix = module)]
// /// Adds numbers.
// async fn add() {}

/// Adds numbers.
async fn add() {}
const _: () = {
    use ::chatluna_tool::__private as __private;
    const __NAME: &::core::primitive::str = "add";
    __private::check_name(
        __private::module_prefix(::core::module_path!(), __NAME),
        __NAME,
    )
};
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_add: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `add`.
    #[allow(non_camel_case_types, dead_code)]
    struct add_arguments {}
    const __NAME: &::core::primitive::str = "add";
    const __OUTPUT: __private::Output<()> = __private::output::<()>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: {
            const __PREFIX: &::core::primitive::str = __private::module_prefix(
                ::core::module_path!(),
                __NAME,
            );
            const __ACTION: [::core::primitive::u8; __private::action_len(
                __PREFIX,
                __NAME,
            )] = __private::action_bytes(__PREFIX, __NAME);
            __private::action_str(&__ACTION)
        },
        title: ::core::option::Option::None,
        description: "Adds numbers.",
        traits: __private::Traits::new(),
        parameters: &[],
        hints: ::core::option::Option::None,
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            input.read(&mut [])?;
            __private::prepared(
                add_arguments {},
                const {
                    &__private::Hooks::<add_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT.convert)(add().await)
                        }),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "add",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
