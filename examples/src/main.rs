//! The quick start: tools that are only annotated, and a command line over them.
//!
//! `cargo run -- turn examples/turns/openai.json` answers a model's reply,
//! `cargo run` alone lists what there is.

mod tools;

use chatluna_tool::{BuildError, PermissionPolicy, Runtime, cli};
use std::process::ExitCode;

#[tokio::main]
async fn main() -> Result<ExitCode, BuildError> {
    let runtime = Runtime::builder()
        .collect() // every #[tool] linked into the program
        .state(tools::shop())
        .policy(PermissionPolicy::new()) // reads run, the rest is asked about
        .build()?;
    Ok(cli::main(runtime).await)
}
