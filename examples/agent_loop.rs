//! An agent: ask the model, run the calls it wants, show it the results, until it answers.
//!
//! ```console
//! $ export OPENAI_API_KEY=sk-… OPENAI_MODEL=gpt-4.1-mini
//! $ cargo run -p chatluna-tool-examples --example agent_loop -- Is it warmer in Oslo or in Rome?
//! ```
//!
//! Any server that speaks Chat Completions will do. For one on this machine:
//! `OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3`.

#[path = "support/model.rs"]
pub mod model;

use chatluna_tool::{Runtime, Session, SessionInfo, ToolError, ToolResult, openai, tool};
use model::{Failure, Model};
use serde_json::{Value, json};
use std::env;
use std::process::ExitCode;

/// How often the model may answer with calls. One that never stops costs money for ever.
pub const MAX_STEPS: usize = 8;

/// Current weather of a city
#[tool(traits(parallel, effect = "read"))]
async fn weather(
    /// The city, in English
    city: String,
) -> Result<String, ToolError> {
    let celsius = match &*city {
        "Oslo" => 7,
        "Rome" => 21,
        "Beijing" => 26,
        _ => return Err(ToolError::retry(format!("no weather of {city}; try Rome"))),
    };
    Ok(format!("{city}: {celsius} °C"))
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>().join(" ")).await {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(prompt: &str) -> Result<String, Failure> {
    if prompt.trim().is_empty() {
        return Err("there is no prompt; write it behind the command".into());
    }
    answer(&Model::from_env()?, &session()?, prompt).await
}

/// A session that sees the tools of this program. All of them read, so nobody has to be asked.
pub fn session() -> Result<Session, Failure> {
    let runtime = Runtime::builder().collect().build()?;
    Ok(runtime.session(SessionInfo::new("agent")))
}

/// The loop.
pub async fn answer(model: &Model, session: &Session, prompt: &str) -> Result<String, Failure> {
    let tools = openai::tools(&session.definitions());
    let mut messages = vec![json!({"role": "user", "content": prompt})];
    for _ in 0..MAX_STEPS {
        let mut response = model.chat(&messages, &tools).await?;
        let calls = openai::tool_calls(&response)?;
        let message = response["choices"][0]["message"].take();
        if calls.is_empty() {
            return Ok(model::text(&message));
        }
        let results = session.execute(calls).await;
        trace(&results);
        messages.push(message);
        messages.extend(openai::tool_messages_as::<Vec<Value>>(&results)?);
    }
    Err(format!("the model still calls tools after {MAX_STEPS} steps").into())
}

fn trace(results: &[ToolResult]) {
    for result in results {
        eprintln!("{} -> {}", result.name(), result.text());
    }
}
