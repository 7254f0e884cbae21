//! What a policy of many rules costs a call.
//!
//! Run it with `cargo bench -p chatluna-tool --bench policy`. A row is `Session::execute` of one
//! ready call whose hook names an action and a target, so that two actions are judged. The budget of
//! the project is 50 µs for 1,000 rules. `measure/` tells how it is measured.

#[allow(dead_code, reason = "the rest is for the benchmark of calls")]
mod measure;

use chatluna_tool::{
    Permission, PermissionPolicy, Rule, Runtime, SessionInfo, ToolCall, Who, tool, tools,
};
use measure::Scenario;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

fn main() {
    measure::main("policy", scenarios);
}

/// Reads a file
#[tool(
    permission = |args| Permission::new("file:read").target(&args.path),
    traits(effect = "read"),
)]
async fn read(path: String) -> String {
    path
}

/// What rules tell calls apart by.
type Kind = (&'static str, fn(usize) -> Rule);

fn scenarios() -> Vec<Scenario> {
    let mut all = Vec::new();
    let kinds: [Kind; 6] = [
        ("by name", |number| {
            Rule::allow(format!("area_{number}:read"))
        }),
        ("by area", |number| Rule::allow(format!("area_{number}:*"))),
        ("by target", |number| {
            Rule::allow("file:*").target(format!("/srv/*/{number}/*.txt"))
        }),
        ("by user", |number| {
            Rule::allow("file:read").who(Who::user(format!("user_{number}")))
        }),
        ("that all match", |_| {
            Rule::allow("file:*").target("/srv/*/deep/*.txt")
        }),
        ("that all match, the last final", |number| {
            let rule = Rule::allow("file:*").target("/srv/*/deep/*.txt");
            if number == 999 { rule.is_final() } else { rule }
        }),
    ];
    for (kind, rule) in kinds {
        for count in [0, 1_000] {
            let name = format!("{count} rules {kind}");
            Scenario::tools(&mut all, name, (20, 1), move |_| judged(count, rule));
        }
    }
    all
}

fn judged(count: usize, rule: fn(usize) -> Rule) -> Box<dyn FnMut()> {
    let rules = (0..count).map(rule);
    let policy = rules.fold(PermissionPolicy::new(), PermissionPolicy::rule);
    let builder = Runtime::builder().tools(tools![read]).policy(policy);
    let runtime = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let session = runtime.session(SessionInfo::new("bench"));
    Box::new(move || {
        let call = ToolCall::new("read", r#"{"path": "/srv/data/some/deep/folder/file.txt"}"#);
        let future = pin!(session.execute([call]));
        let Poll::Ready(results) = future.poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("the call is ready at once")
        };
        assert!(results[0].error().is_none(), "{results:?}");
        black_box(results);
    })
}
