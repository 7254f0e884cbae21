//! What the fuzz targets share: schemas and values out of bytes, and a runtime to call tools in.

mod schemas;
mod values;

use arbitrary::Unstructured;
use chatluna_tool::{Runtime, Session, SessionInfo, ToolCall, ToolResult};
use serde_json::Value;
use std::cell::LazyCell;

/// Makes a value for a schema; about one part in eight is something else.
pub use values::value;

/// A schema, and a value that has a chance to fit it.
///
/// An input that is JSON text holds both (`[schema, value]`, as the seeds do); of any other the
/// bytes decide what is made.
pub fn case(data: &[u8]) -> Option<(Value, Value)> {
    if data.starts_with(b"[") {
        return serde_json::from_slice(data).ok();
    }
    let mut bytes = Unstructured::new(data);
    let schema = schemas::document(&mut bytes).ok()?;
    let value = value(&mut bytes, &schema, &schema, 0).ok()?;
    Some((schema, value))
}

pub fn session(runtime: Runtime) -> Session {
    runtime.session(SessionInfo::new("fuzz"))
}

/// One call through everything that a call of a model goes through.
pub fn execute(session: &Session, name: &str, arguments: &str) -> ToolResult {
    thread_local! {
        static EXECUTOR: LazyCell<tokio::runtime::Runtime> = LazyCell::new(|| {
            let builder = tokio::runtime::Builder::new_current_thread().enable_time().build();
            builder.expect("a runtime without I/O is made of memory alone")
        });
    }
    let calls = [ToolCall::new(name, arguments).id("1")];
    let results = EXECUTOR.with(|executor| executor.block_on(session.execute(calls)));
    let [result] = <[ToolResult; 1]>::try_from(results).expect("one call has one result");
    assert_eq!((result.id(), result.name()), ("1", name));
    result
}
