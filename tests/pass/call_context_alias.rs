//! No type is recognised by its name.
#![deny(warnings)]

mod support;

use chatluna_tool::{CallContext as Cx, tool};

type Context = Cx;

/// A state of the program that is called like ours.
struct CallContext(&'static str);

/// Shows what it is given.
#[tool]
async fn show(first: &Cx, own: &CallContext, second: &Context, r#ref: &Cx) -> String {
    format!(
        "{} {} {} {}",
        first.name(),
        own.0,
        second.name(),
        r#ref.name()
    )
}

fn main() {
    let runtime = support::collected()
        .state(CallContext("own"))
        .approver(chatluna_tool::AllowAll)
        .build()
        .expect("it is complete");
    let session = runtime.session(chatluna_tool::SessionInfo::new("pass"));
    assert_eq!(
        support::call_in(&session, "show", serde_json::json!({})),
        "show own show show"
    );
}
