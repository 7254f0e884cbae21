//! `traits`: each of them, and none.
#![deny(warnings)]

mod support;

use chatluna_tool::{Effect, Traits, tool};
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

/// Is ended when its time is over.
#[tool(traits(background = false))]
async fn ended() {}

/// Is waited for.
#[tool(traits(timeout = "none"))]
async fn awaited() {}

/// Says no more than so much.
#[tool(traits(output_cap = 20_000))]
async fn brief() {}

/// Is careful.
#[tool(traits())]
async fn careful() {}

fn main() {
    let read = support::definition("read");
    assert!(read.is_parallel());
    assert_eq!(read.timeout(), Some(Duration::from_secs(30)));
    assert!(read.outlives_timeout() && !support::definition("ended").outlives_timeout());
    let awaited = support::definition("awaited");
    assert_eq!(awaited.timeout(), Some(Traits::NO_TIMEOUT));
    assert_eq!(support::definition("brief").output_cap(), Some(20_000));
    assert_eq!(read.output_cap(), None);
    let effects =
        ["read", "write", "run", "careful"].map(|name| support::definition(name).effect());
    assert_eq!(
        effects,
        [Effect::Read, Effect::Write, Effect::Exec, Effect::Exec]
    );
}
