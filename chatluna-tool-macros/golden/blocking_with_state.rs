// #[tool()]
// /// Finds a row.
// pub fn find(table: String, db: &Db, call: &CallContext) -> Result<Json<Row>, DbError> {
//     db.find(&table, call)
// }

/// Finds a row.
pub fn find(table: String, db: &Db, call: &CallContext) -> Result<Json<Row>, DbError> {
    db.find(&table, call)
}
#[doc(hidden)]
#[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
pub const __chatluna_tool_find: &'static ::chatluna_tool::__private::ToolRegistration = {
    use ::chatluna_tool::__private as __private;
    /// The arguments of `find`.
    #[allow(non_camel_case_types, dead_code)]
    struct find_arguments {
        /// The argument `table`.
        table: String,
    }
    const __OUTPUT: __private::Output<Result<Json<Row>, DbError>> = __private::output::<
        Result<Json<Row>, DbError>,
    >();
    static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
        action: "tool:find",
        title: ::core::option::Option::None,
        description: "Finds a row.",
        traits: __private::Traits::new(),
        parameters: &[__private::parameter::<String>("table", "")],
        hints: ::core::option::Option::None,
        needed: &[__private::needed::<Db>(), __private::needed::<CallContext>()],
        output_schema: __OUTPUT.schema,
        visibility: ::core::option::Option::None,
        prepare: |input| {
            let mut slot_0 = ::core::option::Option::None::<String>;
            input.read(&mut [&mut slot_0])?;
            __private::prepared(
                find_arguments {
                    table: __private::filled(slot_0)?,
                },
                const {
                    &__private::Hooks::<find_arguments> {
                        permission: ::core::option::Option::None,
                        key: ::core::option::Option::None,
                        run: |arguments, call| __private::blocking(
                            call,
                            move |call| {
                                let _ = (&arguments, call);
                                (__OUTPUT
                                    .convert)(
                                    find(
                                        arguments.table,
                                        __private::injected(call)?,
                                        __private::injected(call)?,
                                    ),
                                )
                            },
                        ),
                    }
                },
            )
        },
        origin: __private::Origin::new(
            ::core::module_path!(),
            "find",
            ::core::file!(),
            ::core::line!(),
            ::core::column!(),
        ),
    };
    __private::register!(& __TOOL);
    &__TOOL
};
