//! With the types of a client crate, here `async-openai`: its types go in and come out.
//!
//! ```console
//! $ cargo run -p chatluna-tool-examples --example async_openai
//! ```
//!
//! Nothing goes over the network: a recorded response stands in for `client.chat().create(..)`. Any
//! other crate whose types are serde types of the API works the same way.

use async_openai::error::OpenAIError;
use async_openai::types::chat::{
    ChatCompletionRequestMessage, ChatCompletionRequestUserMessage, ChatCompletionTools,
    CreateChatCompletionRequest, CreateChatCompletionRequestArgs, CreateChatCompletionResponse,
};
use chatluna_tool::{Runtime, Session, SessionInfo, WireError, openai, tool};
use std::error::Error;

/// Current weather of a city
#[tool(traits(parallel, effect = "read"))]
async fn weather(
    /// The city, in any language
    city: String,
) -> String {
    format!("{city}: sunny")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let session = session()?;
    let question = ChatCompletionRequestUserMessage::from("How is the weather in Oslo?");
    let mut messages = vec![question.into()];
    let request = request(&session, messages.clone())?;
    println!("{}", serde_json::to_string_pretty(&request)?);
    let response = recorded()?; // client.chat().create(request).await?
    messages.extend(answer(&session, &response).await?);
    println!("{}", serde_json::to_string_pretty(&messages)?);
    Ok(())
}

/// A session that sees the tools of this program.
pub fn session() -> Result<Session, Box<dyn Error>> {
    let runtime = Runtime::builder().collect().build()?;
    Ok(runtime.session(SessionInfo::new("demo")))
}

/// The definitions as the crate's tools.
pub fn tools(session: &Session) -> Result<Vec<ChatCompletionTools>, WireError> {
    openai::tools_as(&session.definitions())
}

/// A request of the crate.
fn request(
    session: &Session,
    messages: Vec<ChatCompletionRequestMessage>,
) -> Result<CreateChatCompletionRequest, Box<dyn Error>> {
    let mut request = CreateChatCompletionRequestArgs::default();
    request.model("gpt-4.1-mini").messages(messages);
    let request: Result<_, OpenAIError> = request.tools(tools(session)?).build();
    Ok(request?)
}

/// The crate's messages that follow its response: the reply itself and the results of its calls.
pub async fn answer(
    session: &Session,
    response: &CreateChatCompletionResponse,
) -> Result<Vec<ChatCompletionRequestMessage>, Box<dyn Error>> {
    let choice = response.choices.first().ok_or("the response is empty")?;
    // The crate has two types for a message that was received and one that is sent.
    let reply = serde_json::to_value(&choice.message)?;
    let mut messages = vec![serde_json::from_value(reply)?];
    let results = session.execute(openai::tool_calls(response)?).await;
    messages.extend(openai::tool_messages_as::<Vec<_>>(&results)?);
    Ok(messages)
}

/// What the API answered.
pub fn recorded() -> Result<CreateChatCompletionResponse, serde_json::Error> {
    serde_json::from_str(
        r#"{
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1741569952,
            "model": "gpt-4.1-mini",
            "choices": [{
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": null,
                    "tool_calls": [{
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "weather", "arguments": "{\"city\": \"Oslo\"}"}
                    }]
                },
                "logprobs": null,
                "finish_reason": "tool_calls"
            }]
        }"#,
    )
}
