// #[tool()]
// /// Finds flights.
// async fn flights(
//     #[arg(pattern = "^[A-Z]{3}$", example = "OSL")]
//     to: String,
//     #[arg(default = 3, range(1..= 14))]
//     days: u8,
//     #[arg(default = BUDGET, range(0.0..= MAX_BUDGET))]
//     budget: f64,
//     #[arg(default = "en", length(2..))]
//     #[serde(alias = "lang")]
//     language: &str,
//     #[arg(secret, rename = "key")]
//     api_key: Option<String>,
// ) {}

/// Finds flights.
async fn flights(
    to: String,
    days: u8,
    budget: f64,
    language: &str,
    api_key: Option<String>,
) {}
const _: () = {
    use ::chatluna_tool::__private as __private;
    __private::Range::new(
            ::core::option::Option::Some(__private::Bound::new(0, 0f64)),
            ::core::option::Option::Some(
                __private::Bound::new(
                    (MAX_BUDGET) as ::core::primitive::i128,
                    (MAX_BUDGET) as ::core::primitive::f64,
                ),
            ),
        )
        .check()
};
const _: () = {
    use ::chatluna_tool::__private as __private;
    __private::Range::new(
            ::core::option::Option::Some(__private::Bound::new(0, 0f64)),
            ::core::option::Option::Some(
                __private::Bound::new(
                    (MAX_BUDGET) as ::core::primitive::i128,
                    (MAX_BUDGET) as ::core::primitive::f64,
                ),
            ),
        )
        .check_default(
            __private::Bound::new(
                (BUDGET) as ::core::primitive::i128,
                (BUDGET) as ::core::primitive::f64,
            ),
        )
};
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_flights: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `flights`.
    #[allow(non_camel_case_types, dead_code)]
    struct flights_arguments {
        /// The argument `to`.
        to: String,
        /// The argument `days`.
        days: u8,
        /// The argument `budget`.
        budget: f64,
        /// The argument `language`.
        language: ::chatluna_tool::__private::String,
        /// The argument `key`.
        api_key: Option<String>,
    }
    const __OUTPUT: __private::Output<()> = __private::output::<()>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:flights",
        title: ::core::option::Option::None,
        description: "Finds flights.",
        traits: __private::Traits::new(),
        parameters: &[
            __private::parameter::<String>("to", "")
                .details(const {
                    &__private::Details::new()
                        .pattern("^[A-Z]{3}$")
                        .examples(&[|| __private::json(&"OSL")])
                }),
            __private::parameter_or::<u8>("days", "")
                .details(const {
                    &__private::Details::new()
                        .default_value(__private::Literal::Integer(3i128))
                        .range(
                            __private::Range::new(
                                ::core::option::Option::Some(
                                    __private::Bound::new(1i128, 1f64),
                                ),
                                ::core::option::Option::Some(
                                    __private::Bound::new(14i128, 14f64),
                                ),
                            ),
                        )
                }),
            __private::parameter_or::<f64>("budget", "")
                .details(const {
                    &__private::Details::new()
                        .range(
                            __private::Range::new(
                                ::core::option::Option::Some(
                                    __private::Bound::new(0, 0f64),
                                ),
                                ::core::option::Option::Some(
                                    __private::Bound::new(
                                        (MAX_BUDGET) as ::core::primitive::i128,
                                        (MAX_BUDGET) as ::core::primitive::f64,
                                    ),
                                ),
                            ),
                        )
                }),
            __private::parameter_or::<__private::String>("language", "")
                .details(const {
                    &__private::Details::new()
                        .aliases(&["lang"])
                        .default_value(__private::Literal::Text("en"))
                        .length(
                            __private::Length::new(
                                ::core::option::Option::Some(2),
                                ::core::option::Option::None,
                            ),
                        )
                }),
            __private::parameter::<Option<String>>("key", "")
                .details(const {
                    &__private::Details::new().role(__private::Role::Secret)
                }),
        ],
        hints: ::core::option::Option::None,
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<String>;
            let mut slot_1 = ::core::option::Option::None::<u8>;
            let mut slot_2 = ::core::option::Option::None::<f64>;
            let mut slot_3 = ::core::option::Option::None::<__private::String>;
            let mut slot_4 = ::core::option::Option::None::<Option<String>>;
            input
                .read(
                    &mut [
                        &mut slot_0,
                        &mut slot_1,
                        &mut slot_2,
                        &mut slot_3,
                        &mut slot_4,
                    ],
                )?;
            __private::prepared(
                flights_arguments {
                    to: __private::filled(slot_0)?,
                    days: __private::filled_or(slot_1, || 3),
                    budget: __private::filled_or(slot_2, || BUDGET),
                    language: __private::filled_or(
                        slot_3,
                        || ::core::convert::Into::into("en"),
                    ),
                    api_key: __private::filled(slot_4)?,
                },
                const {
                    &__private::Hooks::<flights_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT
                                .convert)(
                                flights(
                                        arguments.to,
                                        arguments.days,
                                        arguments.budget,
                                        &arguments.language,
                                        arguments.api_key,
                                    )
                                    .await,
                            )
                        }),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "flights",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
