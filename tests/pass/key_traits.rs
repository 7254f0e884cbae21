//! `traits`: each of them, and none.
#![deny(warnings)]

mod support;

use chatluna_tool::{Effect, tool};
use std::time::Duration;

/// Reads.
#[tool(traits(parallel, effect = "read", timeout = 30_000))]
async fn read() {}

/// Writes.
#[tool(traits(effect = "write",))]
async fn write() {}

/// Runs.
#[tool(traits(effect = "exec"))]
async fn run() {}

/// Is careful.
#[tool(traits())]
async fn careful() {}

fn main() {
    let read = support::definition("read");
    assert!(read.is_parallel());
    assert_eq!(read.timeout(), Some(Duration::from_secs(30)));
    let effects =
        ["read", "write", "run", "careful"].map(|name| support::definition(name).effect());
    assert_eq!(
        effects,
        [Effect::Read, Effect::Write, Effect::Exec, Effect::Exec]
    );
}
