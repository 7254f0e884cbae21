//! The agent of `agent_loop`, live: words are printed and calls put together while they arrive.
//!
//! ```console
//! $ export OPENAI_API_KEY=sk-… OPENAI_MODEL=gpt-4.1-mini
//! $ cargo run -p chatluna-tool-examples --example streaming -- What time is it in Tokyo?
//! ```
//!
//! Any server that speaks Chat Completions will do. For one on this machine:
//! `OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3`.

#[path = "support/model.rs"]
pub mod model;
#[path = "support/spoken.rs"]
mod spoken;

use chatluna_tool::{Runtime, Session, SessionInfo, ToolCall, openai, tool};
use model::{Failure, Model};
use serde_json::{Value, json};
use spoken::Spoken;
use std::env;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// How often the model may answer with calls. One that never stops costs money for ever.
const MAX_STEPS: usize = 8;

/// The time of day, as hours and minutes
#[tool(traits(parallel, effect = "read"))]
async fn clock(
    /// Hours east of Greenwich, such as 9 for Tokyo
    offset: i8,
) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.unwrap_or_default().as_secs().cast_signed() + i64::from(offset) * 3600;
    let minutes = seconds.div_euclid(60).rem_euclid(24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>().join(" ")).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(prompt: &str) -> Result<(), Failure> {
    if prompt.trim().is_empty() {
        return Err("there is no prompt; write it behind the command".into());
    }
    answer(&Model::from_env()?, &session()?, prompt, print).await?;
    println!();
    Ok(())
}

/// Words have no line break at their end, so standard output would keep them.
fn print(words: &str) {
    print!("{words}");
    let _ = stdout().flush(); // nobody reads any more: then there is nobody to tell either
}

/// A session that sees the tools of this program.
pub fn session() -> Result<Session, Failure> {
    let runtime = Runtime::builder().collect().build()?;
    Ok(runtime.session(SessionInfo::new("agent")))
}

/// The loop. `show` gets the words as they arrive.
pub async fn answer(
    model: &Model,
    session: &Session,
    prompt: &str,
    mut show: impl FnMut(&str),
) -> Result<(), Failure> {
    let tools = openai::tools(&session.definitions());
    let mut messages = vec![json!({"role": "user", "content": prompt})];
    for _ in 0..MAX_STEPS {
        let (text, calls) = reply(model, &messages, &tools, &mut show).await?;
        if calls.is_empty() {
            return Ok(());
        }
        messages.push(message(&text, &calls));
        let results = session.execute(calls).await;
        messages.extend(openai::tool_messages_as::<Vec<Value>>(&results)?);
    }
    Err(format!("the model still calls tools after {MAX_STEPS} steps").into())
}

/// One reply: what it says, and the calls in it.
async fn reply(
    model: &Model,
    messages: &[Value],
    tools: &Value,
    show: &mut impl FnMut(&str),
) -> Result<(String, Vec<ToolCall>), Failure> {
    let (mut spoken, mut deltas) = (Spoken::default(), openai::Deltas::new());
    let mut body = model.stream(messages, tools).await?;
    while let Some(bytes) = body.recv().await {
        let bytes = bytes?;
        deltas.push(&bytes);
        show(&spoken.push(&bytes));
    }
    Ok((spoken.text, deltas.finish()?))
}

/// The reply as a message: the API wants to read it again before the results.
fn message(text: &str, calls: &[ToolCall]) -> Value {
    let call = |call: &ToolCall| {
        let function = json!({"name": call.name, "arguments": call.arguments.text()});
        json!({"id": call.id, "type": "function", "function": function})
    };
    let calls: Vec<Value> = calls.iter().map(call).collect();
    json!({"role": "assistant", "content": text, "tool_calls": calls})
}
