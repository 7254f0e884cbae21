// #[tool(traits(timeout = "30s"))]
// /// Joins words.
// async fn join(joint: &str, words: &[String]) -> String {
//     words.join(joint)
// }

/// Joins words.
async fn join(joint: &str, words: &[String]) -> String {
    words.join(joint)
}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_join: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `join`.
    #[allow(non_camel_case_types, dead_code)]
    struct join_arguments {
        /// The argument `joint`.
        joint: ::chatluna_tool::__private::String,
        /// The argument `words`.
        words: ::chatluna_tool::__private::Vec<String>,
    }
    const __OUTPUT: __private::Output<String> = __private::output::<String>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:join",
        title: ::core::option::Option::None,
        description: "Joins words.",
        traits: __private::Traits::new().timeout(__private::milliseconds(30000u64)),
        parameters: &[
            __private::parameter::<__private::String>("joint", ""),
            __private::parameter::<__private::Vec<String>>("words", ""),
        ],
        hints: ::core::option::Option::None,
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<__private::String>;
            let mut slot_1 = ::core::option::Option::None::<__private::Vec<String>>;
            input.read(&mut [&mut slot_0, &mut slot_1])?;
            __private::prepared(
                join_arguments {
                    joint: __private::filled(slot_0)?,
                    words: __private::filled(slot_1)?,
                },
                const {
                    &__private::Hooks::<join_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT
                                .convert)(join(&arguments.joint, &arguments.words).await)
                        }),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "join",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
