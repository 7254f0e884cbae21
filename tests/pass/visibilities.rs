//! What is made of a function is seen as far as the function.
#![deny(warnings, unreachable_pub)]
#![expect(unreachable_pub, reason = "the helpers of all files")]

mod support;

mod outer {
    pub(crate) mod inner {
        use chatluna_tool::tool;

        /// Is seen in the crate.
        #[tool(args = CrateArgs)]
        pub(crate) fn in_crate(number: u8) -> u8 {
            number
        }

        /// Is seen outside.
        #[tool(args = OuterArgs)]
        pub(in crate::outer) fn in_outer(number: u8) -> u8 {
            number
        }

        /// Is seen outside.
        #[tool(args = SuperArgs)]
        pub(super) fn in_super(number: u8) -> u8 {
            number
        }

        /// Is seen here.
        #[tool(args = PrivateArgs)]
        fn private(number: u8) -> u8 {
            number
        }

        pub(crate) fn own() -> u8 {
            let _ = chatluna_tool::tools![private];
            private(PrivateArgs { number: 1 }.number)
        }
    }

    pub(crate) fn all() -> u8 {
        let _ = chatluna_tool::tools![inner::in_outer, inner::in_super];
        inner::in_outer(inner::OuterArgs { number: 1 }.number)
            + inner::in_super(inner::SuperArgs { number: 1 }.number)
    }
}

fn main() {
    use outer::inner::{CrateArgs, in_crate, own};
    let _ = chatluna_tool::tools![outer::inner::in_crate];
    let number = outer::all() + own() + in_crate(CrateArgs { number: 1 }.number);
    assert_eq!(number, 4);
    assert_eq!(
        support::names(),
        ["in_crate", "in_outer", "in_super", "private"]
    );
}
