//! A tool with any schema: what it runs with, its schema accepts as it is.

#![no_main]

use chatluna_tool::{
    CallContext, Effect, ErrorKind, FnTool, Json, Runtime, ToolDefinition, Traits,
};
use chatluna_tool_fuzz::{case, execute, session};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let Some((schema, value)) = case(data) else {
        return;
    };
    let definition = ToolDefinition::new("echo", "Repeats its arguments")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(schema);
    let echo = |arguments: Value, _: CallContext| async move { Json(arguments) };
    let Ok(runtime) = Runtime::builder()
        .tool(FnTool::new(definition, echo))
        .build()
    else {
        return;
    };
    let session = session(runtime);
    let result = execute(&session, "echo", &value.to_string());
    let Some(read) = result.structured() else {
        let refused = [ErrorKind::InvalidArguments, ErrorKind::MalformedArguments].map(Some);
        assert!(refused.contains(&result.error()), "{}", result.text());
        return;
    };
    // `null` stands for no arguments.
    if result.repairs().is_empty() && !value.is_null() {
        assert_eq!(*read, value);
    }
    let again = execute(&session, "echo", &read.to_string());
    assert_eq!(again.repairs(), [], "{read} was repaired to this");
    assert_eq!(again.structured(), Some(read), "{}", again.text());
});
