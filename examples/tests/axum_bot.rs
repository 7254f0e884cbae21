//! The HTTP bot over a real socket, its model scripted.

#[allow(dead_code, reason = "a test has no use for its `main`")]
#[path = "../axum_bot.rs"]
mod axum_bot;
#[path = "support/server.rs"]
mod server;

use axum_bot::model::{Failure, Model};
use axum_bot::{Bot, app};
use serde_json::{Value, json};
use server::{Reply, Server};
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;

type Tested = Result<(), Failure>;

/// Serves the bot as long as the test's runtime lives; gives its address.
async fn serve(model: &Server) -> Result<String, Failure> {
    let bot = Bot::new(Model::new(&model.url, None, "scripted"))?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async { axum::serve(listener, app(bot)).await });
    Ok(url)
}

/// Sends a message to a chat; gives status and body.
async fn send(url: &str, chat: &str, message: Value) -> Result<(u16, String), Failure> {
    let url = format!("{url}/chats/{chat}");
    let post = move || -> Result<_, ureq::Error> {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let post = config.proxy(None).build().new_agent().post(url);
        let post = post.header("content-type", "application/json");
        let mut response = post.send(message.to_string())?;
        let text = response.body_mut().read_to_string()?;
        Ok((response.status().as_u16(), text))
    };
    Ok(spawn_blocking(post).await??)
}

fn calling(id: &str, name: &str, arguments: &Value) -> Reply {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    let call = json!({"id": id, "type": "function", "function": function});
    Reply::message(json!({"role": "assistant", "content": null, "tool_calls": [call]}))
}

fn saying(text: &str) -> Reply {
    Reply::message(json!({"role": "assistant", "content": text}))
}

#[tokio::test]
async fn two_chats_do_not_see_each_other() -> Tested {
    let model = Server::start([
        calling("a1", "remember", &json!({"note": "buy tea"})),
        saying("Noted."),
        calling("b1", "recall", &json!({})),
        saying("There is nothing."),
        calling("a2", "recall", &json!({})),
        saying("Tea."),
    ])?;
    let url = serve(&model).await?;
    let li = json!({"id": "m1", "user": "li", "text": "We need tea."});
    let bo = json!({"id": "m2", "user": "bo", "text": "What do we need?"});
    let wu = json!({"id": "m3", "user": "wu", "text": "What was it?"});
    let noted = (200, r#"{"text":"Noted."}"#.to_owned());
    assert_eq!(send(&url, "kitchen", li).await?, noted);
    let nothing = (200, r#"{"text":"There is nothing."}"#.to_owned());
    assert_eq!(send(&url, "garage", bo).await?, nothing);
    let tea = (200, r#"{"text":"Tea."}"#.to_owned());
    assert_eq!(send(&url, "kitchen", wu).await?, tea);
    let requests = model.requests()?;
    let result = |request: usize| {
        requests[request].body["messages"]
            .as_array()?
            .last()
            .cloned()
    };
    let message = |id, content| json!({"role": "tool", "tool_call_id": id, "content": content});
    assert_eq!(result(1), Some(message("a1", "done")));
    assert_eq!(result(3), Some(message("b1", "nothing found")));
    assert_eq!(result(5), Some(message("a2", "buy tea (li, message m1)")));
    let lengths = requests
        .iter()
        .map(|request| request.body["messages"].as_array().map(Vec::len));
    let lengths: Vec<usize> = lengths.flatten().collect();
    assert_eq!(lengths, [1, 3, 1, 3, 5, 7], "a history a chat");
    Ok(())
}

#[tokio::test]
async fn a_model_that_fails_is_no_secret_and_tells_none() -> Tested {
    let error = json!({"error": {"message": "the key sk-1 is wrong"}});
    let model = Server::start([Reply::new("401 Unauthorized", &error)])?;
    let url = serve(&model).await?;
    let sent = send(
        &url,
        "kitchen",
        json!({"id": "m1", "user": "li", "text": "Hi"}),
    )
    .await?;
    assert_eq!(sent, (502, "the model did not answer\n".to_owned()));
    Ok(())
}
