// #[tool(traits(parallel, effect = "read", timeout = 30_000))]
// /// Tells the weather.
// async fn weather(
//     /// The city's name.
//     city: String,
//     days: Option<u8>,
// ) -> String {
//     format!("{city} {days:?}")
// }

/// Tells the weather.
async fn weather(city: String, days: Option<u8>) -> String {
    format!("{city} {days:?}")
}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_weather: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `weather`.
    #[allow(non_camel_case_types, dead_code)]
    struct weather_arguments {
        /// The argument `city`.
        city: String,
        /// The argument `days`.
        days: Option<u8>,
    }
    const __OUTPUT: __private::Output<String> = __private::output::<String>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:weather",
        title: ::core::option::Option::None,
        description: "Tells the weather.",
        traits: __private::Traits::new()
            .parallel()
            .effect(__private::Effect::Read)
            .timeout(__private::milliseconds(30000u64)),
        parameters: &[
            __private::parameter::<String>("city", "The city's name."),
            __private::parameter::<Option<u8>>("days", ""),
        ],
        hints: ::core::option::Option::None,
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<String>;
            let mut slot_1 = ::core::option::Option::None::<Option<u8>>;
            input.read(&mut [&mut slot_0, &mut slot_1])?;
            __private::prepared(
                weather_arguments {
                    city: __private::filled(slot_0)?,
                    days: __private::filled(slot_1)?,
                },
                const {
                    &__private::Hooks::<weather_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT
                                .convert)(weather(arguments.city, arguments.days).await)
                        }),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "weather",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
