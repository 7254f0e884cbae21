//! Traits in scope give every type the methods that generated code calls.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext, Permission, tool};

trait Taken: Sized {
    fn read<T>(self, _: T) {}
    fn parallel(self) {}
    fn effect<T>(self, _: T) {}
    fn timeout<T>(self, _: T) {}
    fn convert<T>(self, _: T) {}
    fn deref(self) {}
    fn into_future(self) {}
}
impl<T> Taken for T {}

trait Lent {
    fn read<T>(&mut self, _: T) {}
    fn borrow(&self) {}
    fn clone(&self) {}
    fn as_str(&self) {}
}
impl<T: ?Sized> Lent for T {}

/// Shows.
#[tool(permission = |args| Permission::new("show").target(&args.text),
    traits(parallel, effect = "read", timeout = 1_000))]
async fn show(text: &str, numbers: &[u8], call: &CallContext) -> String {
    format!("{text}{numbers:?}{}", call.name())
}

/// Shows.
#[tool]
fn blocking(text: &str, number: u8) -> String {
    format!("{text}{number}")
}

fn main() {
    ().parallel();
    ().effect(());
    ().timeout(());
    ().convert(());
    ().deref();
    ().into_future();
    Taken::read((), ());
    Lent::read(&mut (), ());
    Lent::borrow(&());
    Lent::clone(&());
    Lent::as_str(&());
    let arguments = serde_json::json!({"text": "a", "numbers": [1]});
    assert_eq!(support::call("show", arguments), "a[1]show");
    let arguments = serde_json::json!({"text": "a", "number": 1});
    assert_eq!(support::call("blocking", arguments), "a1");
}
