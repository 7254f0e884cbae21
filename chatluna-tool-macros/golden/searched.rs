// #[tool(
//     mode = "search",
//     keywords = ["rain",
//     SNOW,
//     "do I need an umbrella?"],
//     example = r#"{"city": "Oslo"}"#,
// )]
// /// Tells the weather.
// async fn weather(city: String) {}

/// Tells the weather.
async fn weather(city: String) {}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_weather: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `weather`.
    #[allow(non_camel_case_types, dead_code)]
    struct weather_arguments {
        /// The argument `city`.
        city: String,
    }
    const __OUTPUT: __private::Output<()> = __private::output::<()>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:weather",
        title: ::core::option::Option::None,
        description: "Tells the weather.",
        traits: __private::Traits::new(),
        parameters: &[__private::parameter::<String>("city", "")],
        hints: ::core::option::Option::Some(const {
            &__private::Hints::new()
                .keywords(&["rain", SNOW, "do I need an umbrella?"])
                .examples(&[r#"{"city": "Oslo"}"#])
                .mode(__private::ToolMode::Search)
        }),
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<String>;
            input.read(&mut [&mut slot_0])?;
            __private::prepared(
                weather_arguments {
                    city: __private::filled(slot_0)?,
                },
                const {
                    &__private::Hooks::<weather_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT.convert)(weather(arguments.city).await)
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
