// #[toolset(prefix = "db", traits(effect = "read"))]
// impl Db {
//     const LIMIT: u8 = 10;
//     /// Finds rows.
//     #[tool(traits(parallel))]
//     pub async fn find(
//         &self,
//         query: Query<Self>,
//         #[arg(default = Self::LIMIT)]
//         limit: u8,
//     ) -> String {
//         self.run(query, limit).await
//     }
//     #[cfg(unix)]
//     /// Says who runs it.
//     #[tool(args = OwnerArgs)]
//     fn owner() -> String {
//         String::new()
//     }
//     async fn run(&self, query: Query<Self>, limit: u8) -> String {
//         format!("{query:?} {limit}")
//     }
// }

impl Db {
    const LIMIT: u8 = 10;
    #[tool(__in_toolset)]
    /// Finds rows.
    pub async fn find(&self, query: Query<Self>, limit: u8) -> String {
        self.run(query, limit).await
    }
    #[doc(hidden)]
    #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
    pub const __chatluna_tool_find: &'static ::chatluna_tool::__private::ToolRegistration = {
        use ::chatluna_tool::__private as __private;
        /// The arguments of `find`.
        #[allow(non_camel_case_types, dead_code)]
        struct find_arguments {
            /// The argument `query`.
            query: Query<Db>,
            /// The argument `limit`.
            limit: u8,
        }
        const __OUTPUT: __private::Output<String> = __private::output::<String>();
        static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
            action: "tool:db_find",
            title: ::core::option::Option::None,
            description: "Finds rows.",
            traits: __private::Traits::new().parallel().effect(__private::Effect::Read),
            parameters: &[
                __private::parameter::<Query<Db>>("query", ""),
                __private::parameter_or::<u8>("limit", ""),
            ],
            hints: ::core::option::Option::None,
            needed: &[__private::needed::<Db>()],
            output_schema: __OUTPUT.schema,
            visibility: ::core::option::Option::None,
            prepare: |input| {
                let mut slot_0 = ::core::option::Option::None::<Query<Db>>;
                let mut slot_1 = ::core::option::Option::None::<u8>;
                input.read(&mut [&mut slot_0, &mut slot_1])?;
                __private::prepared(
                    find_arguments {
                        query: __private::filled(slot_0)?,
                        limit: __private::filled_or(slot_1, || <Db>::LIMIT),
                    },
                    const {
                        &__private::Hooks::<find_arguments> {
                            permission: ::core::option::Option::None,
                            key: ::core::option::Option::None,
                            run: |arguments, call| __private::asynchronous(async move {
                                let _ = (&arguments, &call);
                                (__OUTPUT
                                    .convert)(
                                    <Db>::find(
                                            __private::injected(&call)?,
                                            arguments.query,
                                            arguments.limit,
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
                "Db::find",
                ::core::file!(),
                ::core::line!(),
                ::core::column!(),
            ),
        };
        __private::register!(& __TOOL);
        &__TOOL
    };
    #[tool(__in_toolset)]
    #[cfg(unix)]
    /// Says who runs it.
    fn owner() -> String {
        String::new()
    }
    #[cfg(unix)]
    #[doc(hidden)]
    #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
    const __chatluna_tool_owner: &'static ::chatluna_tool::__private::ToolRegistration = {
        use ::chatluna_tool::__private as __private;
        const __OUTPUT: __private::Output<String> = __private::output::<String>();
        static __TOOL: __private::ToolRegistration = __private::ToolRegistration {
            action: "tool:db_owner",
            title: ::core::option::Option::None,
            description: "Says who runs it.",
            traits: __private::Traits::new().effect(__private::Effect::Read),
            parameters: &[],
            hints: ::core::option::Option::None,
            needed: &[],
            output_schema: __OUTPUT.schema,
            visibility: ::core::option::Option::None,
            prepare: |input| {
                input.read(&mut [])?;
                __private::prepared(
                    OwnerArgs {},
                    const {
                        &__private::Hooks::<OwnerArgs> {
                            permission: ::core::option::Option::None,
                            key: ::core::option::Option::None,
                            run: |arguments, call| __private::blocking(
                                call,
                                move |call| {
                                    let _ = (&arguments, call);
                                    (__OUTPUT.convert)(<Db>::owner())
                                },
                            ),
                        }
                    },
                )
            },
            origin: __private::Origin::new(
                ::core::module_path!(),
                "Db::owner",
                ::core::file!(),
                ::core::line!(),
                ::core::column!(),
            ),
        };
        __private::register!(& __TOOL);
        &__TOOL
    };
    async fn run(&self, query: Query<Self>, limit: u8) -> String {
        format!("{query:?} {limit}")
    }
    #[doc(hidden)]
    #[allow(dead_code, deprecated, non_upper_case_globals, unreachable_pub)]
    pub const __chatluna_toolset: &'static [&'static ::chatluna_tool::__private::ToolRegistration] = &[
        Self::__chatluna_tool_find,
        #[cfg(unix)]
        Self::__chatluna_tool_owner,
    ];
}
#[cfg(unix)]
/// The arguments of `owner`.
#[allow(non_camel_case_types, dead_code)]
struct OwnerArgs {}
