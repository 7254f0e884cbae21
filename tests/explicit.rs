//! Tools that are named one by one need no link-time registration.

use chatluna_tool::{BuildError, CallContext, Fault, Runtime, SessionInfo, tool, tools};
use serde_json::json;

struct Db;

/// Answers with the row
#[tool(traits(effect = "read"))]
async fn query(id: u32, _db: &Db, call: &CallContext) -> String {
    format!("{} {id}", call.name())
}

/// A raw name
#[tool(traits(effect = "read"))]
async fn r#type(r#in: u8) -> u8 {
    r#in
}

const NAME: &str = "minus";

mod math {
    /// Adds
    #[chatluna_tool::tool(prefix = "math", traits(parallel, effect = "read"))]
    pub(crate) fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    /// Subtracts
    #[chatluna_tool::tool(name = super::NAME, prefix = "math", traits(effect = "read"))]
    pub async fn subtract(a: i64, b: i64) -> i64 {
        a - b
    }
}

#[tokio::test]
async fn named_tools_are_tools_like_any_other() -> Result<(), BuildError> {
    let runtime = Runtime::builder()
        .tools(tools![
            query,
            r#type,
            math::add,
            math::subtract,
            linked_tools::greet
        ])
        .state(Db)
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let definitions = session.definitions();
    let names: Vec<&str> = definitions.iter().map(|tool| tool.name()).collect();
    assert_eq!(names, ["greet", "math_add", "math_minus", "query", "type"]);
    for (name, arguments, expected) in [
        ("query", json!({"id": 7}), "query 7"),
        ("type", json!({"in": 3}), "3"),
        ("math_add", json!({"a": 1, "b": 2}), "3"),
        ("math_minus", json!({"a": 1, "b": 2}), "-1"),
        ("greet", json!({"name": "Li"}), "hello Li"),
    ] {
        assert_eq!(session.call(name, arguments).await.text(), expected);
    }
    Ok(())
}

#[test]
fn only_what_is_named_is_there_and_checked() -> Result<(), BuildError> {
    let runtime = Runtime::builder().tools(tools![math::add]).build()?;
    assert_eq!(runtime.registry().tools().len(), 1);
    let Err(error) = Runtime::builder().tools(tools![query]).build() else {
        panic!("built");
    };
    assert!(matches!(error.faults(), [Fault::MissingState { .. }]));
    Ok(())
}
