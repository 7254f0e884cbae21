//! The types of a client crate, there and back.

#[allow(dead_code, reason = "a test has no use for its `main`")]
#[path = "../async_openai.rs"]
mod example;

use async_openai::types::chat::{ChatCompletionRequestMessage, ChatCompletionTools};
use example::{answer, recorded, session, tools};
use std::error::Error;

type Tested = Result<(), Box<dyn Error>>;

#[test]
fn definitions_become_tools_of_the_crate() -> Tested {
    let session = session()?;
    let tools = tools(&session)?;
    let [ChatCompletionTools::Function(tool)] = &*tools else {
        return Err(format!("{tools:?}").into());
    };
    assert_eq!(tool.function.name, "weather");
    let schema = session.definition("weather")?.parameters().clone();
    let parameters = tool.function.parameters.clone();
    assert_eq!(parameters, Some(serde_json::to_value(schema)?));
    Ok(())
}

#[tokio::test]
async fn a_response_of_the_crate_becomes_messages_of_the_crate() -> Tested {
    let messages = answer(&session()?, &recorded()?).await?;
    let [
        ChatCompletionRequestMessage::Assistant(reply),
        ChatCompletionRequestMessage::Tool(result),
    ] = &*messages
    else {
        return Err(format!("{messages:?}").into());
    };
    assert_eq!(reply.tool_calls.as_ref().map(Vec::len), Some(1));
    assert_eq!(result.tool_call_id, "call_1");
    assert_eq!(result.content, "Oslo: sunny".into());
    Ok(())
}
