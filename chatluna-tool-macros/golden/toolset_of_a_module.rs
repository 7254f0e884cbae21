// #[toolset]
// pub mod text {
//     use super::tool;
//     /// Joins words.
//     #[tool]
//     pub fn join(words: &[String]) -> String {
//         words.concat()
//     }
// }

pub mod text {
    use super::tool;
    #[tool(__in_toolset)]
    /// Joins words.
    pub fn join(words: &[String]) -> String {
        words.concat()
    }
    #[doc(hidden)]
    #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
    pub const __chatluna_tool_join: &'static ::chatluna_tool::__private::ToolRegistration = {
        use ::chatluna_tool::__private as __private;
        /// The arguments of `join`.
        #[allow(non_camel_case_types, dead_code)]
        struct join_arguments {
            /// The argument `words`.
            words: ::chatluna_tool::__private::Vec<String>,
        }
        const __OUTPUT: __private::Output<String> = __private::output::<String>();
        static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
            action: "tool:text_join",
            title: ::core::option::Option::None,
            description: "Joins words.",
            traits: __private::Traits::new(),
            parameters: &[__private::parameter::<__private::Vec<String>>("words", "")],
            hints: ::core::option::Option::None,
            needed: &[],
            output_schema: __OUTPUT.schema,
            visibility: ::core::option::Option::None,
            prepare: |input| {
                let mut slot_0 = ::core::option::Option::None::<__private::Vec<String>>;
                input.read(&mut [&mut slot_0])?;
                __private::prepared(
                    join_arguments {
                        words: __private::filled(slot_0)?,
                    },
                    const {
                        &__private::Hooks::<join_arguments> {
                            permission: ::core::option::Option::None,
                            key: ::core::option::Option::None,
                            run: |arguments, call| __private::blocking(
                                call,
                                move |call| {
                                    let _ = (&arguments, call);
                                    (__OUTPUT.convert)(join(&arguments.words))
                                },
                            ),
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
    #[doc(hidden)]
    #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
    pub const __chatluna_toolset: &'static [&'static ::chatluna_tool::__private::ToolRegistration] = &[
        __chatluna_tool_join,
    ];
}
