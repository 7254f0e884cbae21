//! A call of a tool: text that is no JSON never runs it; what serde reads by itself is what the
//! tool gets, without repairs; and what it gets without repairs serde reads by itself.

#![no_main]

mod tools;

use chatluna_tool::{ErrorKind, Session};
use chatluna_tool_fuzz::{execute, value};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use std::cell::LazyCell;
use tools::{TOOLS, Tool, taken};

thread_local! {
    static SESSION: LazyCell<Session> = LazyCell::new(tools::session);
}

fuzz_target!(|data: &[u8]| {
    SESSION.with(|session| {
        if let Ok((tool, arguments)) = call(session, data) {
            check(session, tool, &arguments);
        }
    });
});

/// An input that begins with a letter is a line like those of `tests/reading.txt`: the tool's name
/// and the text of the arguments. Of any other the bytes decide what is made of the tool's schema.
fn call(session: &Session, data: &[u8]) -> Result<(&'static Tool, String)> {
    if data.first().is_some_and(u8::is_ascii_lowercase) {
        let line = String::from_utf8_lossy(data);
        let (name, arguments) = line.split_once(' ').unwrap_or((&line, ""));
        let tool = TOOLS.iter().find(|tool| tool.name == name);
        // A name that was mutated is still good for some tool.
        let tool = tool.unwrap_or(&TOOLS[name.len() % TOOLS.len()]);
        return Ok((tool, arguments.to_owned()));
    }
    let mut bytes = Unstructured::new(data);
    let tool = bytes.choose(&TOOLS)?;
    let definition = session.definition(tool.name).expect("it was registered");
    let schema = definition.parameters();
    Ok((tool, value(&mut bytes, schema, schema, 0)?.to_string()))
}

fn check(session: &Session, tool: &Tool, arguments: &str) {
    let result = execute(session, tool.name, arguments);
    let taken = taken();
    let text = result.text();
    let refused = [ErrorKind::InvalidArguments, ErrorKind::MalformedArguments].map(Some);
    assert_eq!(result.error().is_none(), taken.is_some(), "{text}");
    assert!(
        taken.is_some() || refused.contains(&result.error()),
        "{text}"
    );

    let whole = match arguments.trim_ascii() {
        "" | "null" => "{}",
        text => text,
    };
    let is_json = serde_json::from_str::<IgnoredAny>(whole).is_ok();
    assert!(is_json || taken.is_none(), "ran on broken JSON");

    // serde takes a list for a struct, too.
    let direct = (tool.read)(whole).filter(|_| whole.starts_with('{'));
    if result.repairs().is_empty() {
        assert_eq!(taken, direct, "{arguments}");
    } else {
        assert_eq!(direct, None, "{arguments}: {:?}", result.repairs());
    }
}
