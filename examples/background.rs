//! A chat in which long work goes on beside the talk: when it has ended, the model is told.
//!
//! ```console
//! $ cargo run -p chatluna-tool-examples --example background
//! render the trailer
//! bot> It takes a while. I will tell you.
//! what is the time?
//! bot> You said: what is the time?
//! bot> Done: the trailer is in trailer.mp4
//! ```
//!
//! Nobody polls. A call that takes longer than its timeout becomes a task, and the step goes on with
//! that for an answer. The loop waits for what comes first, a line or a notice of a task that has
//! ended, and gives the model either. A notice is acknowledged once the model has answered: a
//! program that dies before that offers it again when it is started anew, if it is given a folder to
//! keep tasks in: `… --example background -- data`.
//!
//! No model is needed: [`scripted_model`] stands in for one.

#[path = "support/lines.rs"]
mod lines;

use chatluna_tool::{Notices, Runtime, Session, SessionInfo, ToolCall, tool};
use lines::lines;
use serde_json::json;
use std::error::Error;
use std::time::Duration;
use tokio::sync::mpsc;

/// Renders a film
#[tool(traits(parallel, effect = "read", timeout = "100ms"))]
async fn render(
    /// What is filmed
    film: String,
) -> String {
    tokio::time::sleep(Duration::from_secs(2)).await;
    format!("the {film} is in {film}.mp4")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let session = session(std::env::args().nth(1).as_deref())?;
    chat(&session, lines(), |text| println!("bot> {text}")).await;
    Ok(())
}

/// A session whose tasks are kept in a folder, if there is one.
pub fn session(folder: Option<&str>) -> Result<Session, Box<dyn Error>> {
    let mut builder = Runtime::builder().collect();
    if let Some(folder) = folder {
        builder = builder.data_dir(folder);
    }
    Ok(builder.build()?.session(SessionInfo::new("terminal")))
}

/// Talks until there are no lines, and nothing runs that would be told of.
pub async fn chat(
    session: &Session,
    mut lines: mpsc::UnboundedReceiver<String>,
    mut say: impl FnMut(String),
) {
    let mut notices = session.notices();
    loop {
        tokio::select! {
            Some(line) = lines.recv() => {
                say(answer(session, line).await);
            }
            Some(notice) = next(&mut notices, session), if lines.is_empty() => {
                say(answer(session, notice.text()).await);
                // The model has had it.
                notices.acknowledge(&notice.id).await;
            }
            else => return,
        }
    }
}

/// The next notice; none where nothing runs or has ended.
async fn next(notices: &mut Notices, session: &Session) -> Option<chatluna_tool::Notice> {
    if let Some(notice) = notices.drain().into_iter().next() {
        return Some(notice);
    }
    let tasks = session.background().list();
    if tasks.iter().all(|task| task.status.has_ended()) {
        return None;
    }
    Some(notices.next().await)
}

/// One turn: what the model is told, its calls, their results, its answer.
async fn answer(session: &Session, told: String) -> String {
    let mut told = told;
    loop {
        match scripted_model(&told) {
            Reply::Text(text) => return text,
            Reply::Call(call) => {
                let results = session.execute([call]).await;
                told = results[0].text().into_owned();
            }
        }
    }
}

enum Reply {
    Text(String),
    Call(ToolCall),
}

/// What a model would say.
fn scripted_model(told: &str) -> Reply {
    if let Some(film) = told.strip_prefix("render the ") {
        let call = ToolCall::new("render", json!({ "film": film }));
        return Reply::Call(call.id("call_1"));
    }
    Reply::Text(match told.split_once(":\n") {
        Some((_, result)) => format!("Done: {result}"),
        None if told.contains("goes on in the background") => {
            "It takes a while. I will tell you.".to_owned()
        }
        None => format!("You said: {told}"),
    })
}
