// #[tool(crate = crate::facade)]
// /// Moves.
// async fn r#move(mut r#type: String, #[cfg(unix)] mode: u32, #[cfg(unix)] os: &Os) {}

/// Moves.
async fn r#move(mut r#type: String, #[cfg(unix)] mode: u32, #[cfg(unix)] os: &Os) {}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
const __chatluna_tool_move: &'static crate::facade::__private::ToolRegistration = {
    use crate::facade::__private as __private;
    /// The arguments of `move`.
    #[allow(non_camel_case_types, dead_code)]
    struct move_arguments {
        /// The argument `type`.
        r#type: String,
        #[cfg(unix)]
        /// The argument `mode`.
        mode: u32,
    }
    const __OUTPUT: __private::Output<()> = __private::output::<()>();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:move",
        title: ::core::option::Option::None,
        description: "Moves.",
        traits: __private::Traits::new(),
        parameters: &[
            __private::parameter::<String>("type", ""),
            #[cfg(unix)]
            __private::parameter::<u32>("mode", ""),
        ],
        hints: ::core::option::Option::None,
        needed: &[#[cfg(unix)] __private::needed::<Os>()],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<String>;
            #[cfg(unix)]
            let mut slot_1 = ::core::option::Option::None::<u32>;
            input.read(&mut [&mut slot_0, #[cfg(unix)] &mut slot_1])?;
            __private::prepared(
                move_arguments {
                    r#type: __private::filled(slot_0)?,
                    #[cfg(unix)]
                    mode: __private::filled(slot_1)?,
                },
                const {
                    &__private::Hooks::<move_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::asynchronous(async move {
                            let _ = (&arguments, &call);
                            (__OUTPUT
                                .convert)(
                                r#move(
                                        arguments.r#type,
                                        #[cfg(unix)]
                                        arguments.mode,
                                        #[cfg(unix)]
                                        __private::injected(&call)?,
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
            "move",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
