//! Tools in every block that can hold an item.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;

const _: () = {
    /// Is in a constant.
    #[tool]
    fn in_constant() {}
};

static ONE: u8 = {
    /// Is in a static.
    #[tool]
    fn in_static() {}
    1
};

struct Thing;

impl Thing {
    fn method(&self) -> Self {
        /// Is in a method.
        #[tool(args = MethodArgs)]
        fn in_method(one: u8) -> u8 {
            one
        }
        let _ = MethodArgs {
            one: in_method(ONE),
        };
        Self
    }
}

trait Provided {
    fn provided(&self) {
        /// Is in a method of a trait.
        #[tool]
        async fn in_trait() {}
        drop(in_trait());
    }
}
impl Provided for Thing {}

fn generic<T>(value: T) -> T {
    /// Is in a generic function.
    #[tool]
    fn in_generic() {}
    value
}

/// Is around another.
#[tool]
async fn outer(number: u8) -> u8 {
    /// Is inside another.
    #[tool]
    async fn inner(number: u8) -> u8 {
        number + 1
    }
    let closure = |number| {
        /// Is in a closure, and has the name of another.
        #[tool(name = "in_closure")]
        async fn inner(number: u8) -> u8 {
            number + 2
        }
        inner(number)
    };
    inner(number).await + closure(number).await
}

fn main() {
    generic(Thing).method().provided();
    let names = [
        "in_closure",
        "in_constant",
        "in_generic",
        "in_method",
        "in_static",
        "in_trait",
        "inner",
        "outer",
    ];
    assert_eq!(support::names(), names);
    let call = |name| support::call(name, serde_json::json!({"number": 1}));
    assert_eq!(
        [call("inner"), call("in_closure"), call("outer")],
        ["2", "3", "5"]
    );
}
