// #[tool()]
// /// Wakes people up.
// async fn wake(
//     #[serde(with = "unix_time")]
//     #[schemars(with = "i64")]
//     at: SystemTime,
//     #[serde(default = "nobody", deserialize_with = "names")]
//     #[schemars(schema_with = "names_schema")]
//     who: Names,
// ) {}

/// Wakes people up.
async fn wake(at: SystemTime, who: Names) {}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_wake: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `wake`.
    #[allow(non_camel_case_types, dead_code)]
    struct wake_arguments {
        /// The argument `at`.
        at: SystemTime,
        /// The argument `who`.
        who: Names,
    }
    #[allow(non_camel_case_types)]
    struct __read_at;
    impl __private::Decode for __read_at {
        type Value = SystemTime;
        fn decode<'de, __D: __private::serde::Deserializer<'de>>(
            deserializer: __D,
        ) -> ::core::result::Result<SystemTime, __D::Error> {
            unix_time::deserialize(deserializer)
        }
    }
    #[allow(non_camel_case_types)]
    struct __read_who;
    impl __private::Decode for __read_who {
        type Value = Names;
        fn decode<'de, __D: __private::serde::Deserializer<'de>>(
            deserializer: __D,
        ) -> ::core::result::Result<Names, __D::Error> {
            names(deserializer)
        }
    }
    const __OUTPUT: __private::Output<()> = __private::output::<()>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:wake",
        title: ::core::option::Option::None,
        description: "Wakes people up.",
        traits: __private::Traits::new(),
        parameters: &[
            __private::parameter_with::<
                __read_at,
            >("at", "", <i64 as __private::schemars::JsonSchema>::json_schema),
            __private::parameter_with_or::<
                __read_who,
            >(
                "who",
                "",
                {
                    let hook: fn(
                        &mut __private::schemars::SchemaGenerator,
                    ) -> __private::schemars::Schema = names_schema;
                    hook
                },
            ),
        ],
        hints: ::core::option::Option::None,
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<SystemTime>;
            let mut slot_1 = ::core::option::Option::None::<Names>;
            input.read(&mut [&mut slot_0, &mut slot_1])?;
            __private::prepared(
                wake_arguments {
                    at: __private::filled(slot_0)?,
                    who: __private::filled_or(slot_1, || nobody()),
                },
                const {
                    &__private::Hooks::<wake_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT.convert)(wake(arguments.at, arguments.who).await)
                        }),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "wake",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
