//! A program with a command line, for the tests in `command_line.rs`.

use chatluna_tool::{BuildError, CallContext, Runtime, cli, tool, tools};
use std::process::ExitCode;

/// Renders a film until it is told to end
#[tool(traits(effect = "read", timeout = "50ms"))]
async fn render(call: &CallContext) -> &'static str {
    call.cancelled().await;
    eprintln!("(the reel is put away)");
    "half a film"
}

/// Counts, in far more lines than a model gets
#[tool(traits(effect = "read", output_cap = 2_000))]
async fn count(lines: usize) -> String {
    (1..=lines).map(|line| format!("line {line}\n")).collect()
}

/// Works, and is done
#[tool(traits(effect = "read"))]
async fn work() -> &'static str {
    "done"
}

#[tokio::main]
async fn main() -> Result<ExitCode, BuildError> {
    let mut builder = Runtime::builder().tools(tools![count, render, work]);
    if let Some(folder) = std::env::var_os("CHATLUNA_TOOL_FOLDER") {
        builder = builder.data_dir(folder);
    }
    let runtime = builder.build()?;
    Ok(cli::main(runtime).await)
}
