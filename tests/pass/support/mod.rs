//! A runtime of all tools in the file, and one call.
#![allow(
    dead_code,
    reason = "not every file calls a tool or asks for a definition"
)]

use chatluna_tool::{AllowAll, RuntimeBuilder, Session, SessionInfo, ToolDefinition};
use serde_json::Value;

/// All tools in the file.
#[cfg(any(feature = "inventory", feature = "linkme"))]
pub fn collected() -> RuntimeBuilder {
    chatluna_tool::Runtime::builder().collect()
}

/// Without link-time registration, that the file compiles is all there is to see.
#[cfg(not(any(feature = "inventory", feature = "linkme")))]
pub fn collected() -> RuntimeBuilder {
    std::process::exit(0)
}

pub fn session() -> Session {
    let runtime = collected().approver(AllowAll).build();
    runtime
        .expect("the tools fit together")
        .session(SessionInfo::new("pass"))
}

/// The names of all tools, sorted.
pub fn names() -> Vec<String> {
    session()
        .definitions()
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect()
}

pub fn definition(name: &str) -> ToolDefinition {
    session().definition(name).expect("the tool is there")
}

pub fn call(name: &str, arguments: Value) -> String {
    call_in(&session(), name, arguments)
}

pub fn call_in(session: &Session, name: &str, arguments: Value) -> String {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let result = tokio
        .expect("tokio starts")
        .block_on(session.call(name, arguments));
    result.text().into_owned()
}
