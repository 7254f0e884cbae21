//! The agent loop against a scripted server.

#[allow(dead_code, reason = "a test has no use for its `main`")]
#[path = "../agent_loop.rs"]
mod agent_loop;
#[path = "support/server.rs"]
mod server;

use agent_loop::model::{Failure, Model};
use agent_loop::{MAX_STEPS, answer, session};
use serde_json::{Value, json};
use server::{Reply, Server};

type Tested = Result<(), Failure>;

fn model(server: &Server) -> Model {
    Model::new(&server.url, Some("sk-test".to_owned()), "scripted")
}

fn call(id: &str, city: &str) -> Value {
    let function = json!({"name": "weather", "arguments": json!({"city": city}).to_string()});
    json!({"id": id, "type": "function", "function": function})
}

fn calling(calls: &[Value]) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

#[tokio::test]
async fn the_second_request_holds_the_reply_and_a_result_for_each_id() -> Tested {
    let reply = calling(&[call("call_a", "Rome"), call("call_b", "Atlantis")]);
    let done = json!({"role": "assistant", "content": "Rome is warm."});
    let server = Server::start([reply.clone(), done].map(Reply::message))?;
    let text = answer(&model(&server), &session()?, "Is Rome warm?").await?;
    assert_eq!(text, "Rome is warm.");
    let requests = server.requests()?;
    let prompt = json!({"role": "user", "content": "Is Rome warm?"});
    assert_eq!(requests[0].path, "/v1/chat/completions");
    assert_eq!(requests[0].authorization.as_deref(), Some("Bearer sk-test"));
    assert_eq!(requests[0].body["model"], "scripted");
    assert_eq!(requests[0].body["tools"][0]["function"]["name"], "weather");
    assert_eq!(requests[0].body["messages"], json!([prompt]));
    assert_eq!(
        requests[1].body["messages"],
        json!([
            prompt,
            reply,
            {"role": "tool", "tool_call_id": "call_a", "content": "Rome: 21 °C"},
            {"role": "tool", "tool_call_id": "call_b",
                "content": "error (retry): no weather of Atlantis; try Rome"},
        ])
    );
    Ok(())
}

#[tokio::test]
async fn a_model_that_never_answers_is_stopped() -> Tested {
    let endless = || Reply::message(calling(&[call("again", "Oslo")]));
    let server = Server::start(std::iter::repeat_with(endless).take(MAX_STEPS))?;
    let error = answer(&model(&server), &session()?, "Hello?").await;
    let error = error.map_err(|error| error.to_string());
    assert_eq!(
        error,
        Err("the model still calls tools after 8 steps".to_owned())
    );
    assert_eq!(server.requests()?.len(), MAX_STEPS);
    Ok(())
}

#[tokio::test]
async fn an_error_of_the_server_is_told_in_its_words() -> Tested {
    let body = json!({"error": {"message": "Incorrect API key provided"}});
    let server = Server::start([Reply::new("401 Unauthorized", &body)])?;
    let error = answer(&model(&server), &session()?, "Hello?").await;
    let expected = format!(
        "{}/chat/completions answers 401 Unauthorized: Incorrect API key provided",
        server.url
    );
    assert_eq!(error.map_err(|error| error.to_string()), Err(expected));
    Ok(())
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() -> Tested {
    let server = Server::start([])?;
    let model = model(&server);
    let url = server.url.clone();
    server.requests()?; // nobody listens any more
    let Err(error) = answer(&model, &session()?, "Hello?").await else {
        return Err("somebody answered".into());
    };
    let expected = format!("cannot reach {url}/chat/completions: ");
    assert!(error.to_string().starts_with(&expected), "{error}");
    Ok(())
}
