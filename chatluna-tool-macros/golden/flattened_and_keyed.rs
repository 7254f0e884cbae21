// #[tool(example = r#"{"room": "kitchen", "on": true}"#, traits(parallel, key = room))]
// /// Switches a lamp.
// async fn switch(room: String, #[arg(flatten)] lamp: Lamp) {}

/// Switches a lamp.
async fn switch(room: String, lamp: Lamp) {}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_switch: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `switch`.
    #[allow(non_camel_case_types, dead_code)]
    struct switch_arguments {
        /// The argument `room`.
        room: String,
        /// The argument `lamp`.
        lamp: Lamp,
    }
    const __OUTPUT: __private::Output<()> = __private::output::<()>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:switch",
        title: ::core::option::Option::None,
        description: "Switches a lamp.",
        traits: __private::Traits::new().parallel(),
        parameters: &[
            __private::parameter::<String>("room", ""),
            __private::parameter::<Lamp>("lamp", "")
                .details(const { &__private::Details::new().flattened() }),
        ],
        hints: ::core::option::Option::Some(const {
            &__private::Hints::new().examples(&[r#"{"room": "kitchen", "on": true}"#])
        }),
        needed: &[],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<String>;
            let mut slot_1 = ::core::option::Option::None::<Lamp>;
            input.read(&mut [&mut slot_0, &mut slot_1])?;
            __private::prepared(
                switch_arguments {
                    room: __private::filled(slot_0)?,
                    lamp: __private::filled(slot_1)?,
                },
                const {
                    &__private::Hooks::<switch_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::Some(|arguments| __private::key_of(
                            arguments,
                            |arguments| &arguments.room,
                        )),
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT
                                .convert)(switch(arguments.room, arguments.lamp).await)
                        }),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "switch",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
