//! The streaming agent against a scripted server.

#[path = "support/server.rs"]
mod server;
#[allow(dead_code, reason = "a test has no use for its `main`")]
#[path = "../streaming.rs"]
mod streaming;

use serde_json::{Value, json};
use server::{Reply, Server};
use std::sync::mpsc::{Receiver, channel};
use streaming::model::{Failure, Model};
use streaming::{answer, session};

type Tested = Result<(), Failure>;

fn chunk(delta: Value, finish: Option<&str>) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    format!("data: {}\n\n", json!({"choices": [choice]}))
}

fn call(index: u32, id: &str, arguments: &str) -> String {
    let function = json!({"name": "clock", "arguments": arguments});
    let call = json!({"index": index, "id": id, "type": "function", "function": function});
    chunk(json!({"tool_calls": [call]}), None)
}

fn more(index: u32, arguments: &str) -> String {
    let call = json!({"index": index, "function": {"arguments": arguments}});
    chunk(json!({"tool_calls": [call]}), None)
}

fn words(text: &str) -> String {
    chunk(json!({"content": text}), None)
}

fn end(reason: &str) -> String {
    chunk(json!({}), Some(reason)) + "data: [DONE]\n\n"
}

/// A gate that is always open.
fn open() -> Receiver<()> {
    let (opener, gate) = channel();
    for _ in 0..1000 {
        let _ = opener.send(());
    }
    gate
}

/// A body that arrives byte for byte, so that every character of several bytes is cut.
fn byte_for_byte(body: &str) -> Reply {
    Reply::pieces(body.bytes().map(|byte| vec![byte]), open())
}

async fn ask(server: &Server, show: impl FnMut(&str)) -> Result<(), Failure> {
    let model = Model::new(&server.url, None, "scripted");
    answer(&model, &session()?, "What time is it?", show).await
}

#[tokio::test]
async fn calls_in_pieces_are_answered_by_their_ids() -> Tested {
    let body = [
        words("Ein Blick auf die Uhr … "),
        call(0, "call_a", ""),
        more(0, "{\"off"),
        more(0, "set\": 9}"),
        call(1, "call_b", "{\"offset\": 900}"),
        end("tool_calls"),
    ];
    let done = [words("Zu spät."), end("stop")];
    let server = Server::start([body.concat(), done.concat()].map(|body| byte_for_byte(&body)))?;
    let mut shown = String::new();
    ask(&server, |words| shown += words).await?;
    assert_eq!(shown, "Ein Blick auf die Uhr … Zu spät.");
    let requests = server.requests()?;
    assert_eq!(requests[0].body["stream"], true);
    let messages = &requests[1].body["messages"];
    let call = |id, arguments| json!({"id": id, "type": "function", "function": {"name": "clock", "arguments": arguments}});
    assert_eq!(
        messages[1],
        json!({
            "role": "assistant",
            "content": "Ein Blick auf die Uhr … ",
            "tool_calls": [call("call_a", "{\"offset\": 9}"), call("call_b", "{\"offset\": 900}")],
        })
    );
    assert_eq!(messages[2]["tool_call_id"], "call_a");
    assert_eq!(
        messages[2]["content"].as_str().map(str::len),
        Some("12:34".len())
    );
    assert_eq!(
        messages[3],
        json!({"role": "tool", "tool_call_id": "call_b",
            "content": "error (invalid_arguments): /offset: must be between -128 and 127, got 900"})
    );
    Ok(())
}

#[tokio::test]
async fn words_are_shown_before_the_reply_is_complete() -> Tested {
    let (opener, gate) = channel();
    let pieces = [words("One, "), words("two."), end("stop")];
    let server = Server::start([Reply::pieces(pieces.map(String::into_bytes), gate)])?;
    let mut shown = Vec::new();
    // The server holds each piece back until the one before it was shown.
    let show = |words: &str| {
        shown.push(words.to_owned());
        let _ = opener.send(());
    };
    ask(&server, show).await?;
    assert_eq!(shown.concat(), "One, two.");
    assert!(shown.len() > 1, "{shown:?}");
    server.requests()?;
    Ok(())
}

#[tokio::test]
async fn a_stream_that_is_an_error_is_told() -> Tested {
    let body = "data: {\"error\": {\"message\": \"overloaded\"}}\n\n";
    let server = Server::start([byte_for_byte(body)])?;
    let error = ask(&server, |_| {})
        .await
        .map_err(|error| error.to_string());
    assert_eq!(
        error,
        Err("the reply is an error: {\"message\":\"overloaded\"}".to_owned())
    );
    Ok(())
}
