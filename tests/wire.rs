//! Replies in the exact shape of a provider's API, and the messages that answer them.

use chatluna_tool::{Runtime, Session, SessionInfo, ToolCall, openai, tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};

type Tested = Result<(), Box<dyn Error>>;

/// Current weather of a city
#[tool(traits(parallel, effect = "read"))]
async fn weather(
    /// The city and, in the US, the state
    city: String,
    days: Option<u8>,
) -> String {
    format!("{city}: sunny, {} day(s)", days.unwrap_or(1))
}

/// Answers
#[tool(traits(effect = "read"))]
async fn ping() {}

fn session() -> Result<Session, Box<dyn Error>> {
    let runtime = Runtime::builder().collect().build()?;
    Ok(runtime.session(SessionInfo::new("wire")))
}

fn fixture(name: &str) -> Result<String, std::io::Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("wire/openai");
    std::fs::read_to_string(folder.join(name))
}

fn fixtures() -> Result<Vec<PathBuf>, std::io::Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("wire/openai");
    let files = std::fs::read_dir(folder)?.map(|file| file.map(|file| file.path()));
    files.collect()
}

#[tokio::test]
async fn every_recorded_reply_gets_its_messages() -> Tested {
    let session = session()?;
    let mut replies = 0;
    for file in fixtures()? {
        let name = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(stem) = name
            .strip_suffix(".json")
            .filter(|stem| !stem.contains('.'))
        else {
            continue;
        };
        replies += 1;
        let reply = std::fs::read_to_string(&file)?;
        let results = session.execute(openai::tool_calls(&reply)?).await;
        let expected: Value = serde_json::from_str(&fixture(&format!("{stem}.messages.json"))?)?;
        assert_eq!(openai::tool_messages(&results), expected, "{stem}");
    }
    assert_eq!(replies, 8);
    Ok(())
}

#[test]
fn definitions_have_the_shape_of_the_api() -> Tested {
    let tools = openai::tools(&session()?.definitions());
    let expected = json!([
        {
            "type": "function",
            "function": {
                "name": "ping",
                "description": "Answers",
                "parameters": {"type": "object", "properties": {}, "additionalProperties": false},
            },
        },
        {
            "type": "function",
            "function": {
                "name": "weather",
                "description": "Current weather of a city",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "city": {"description": "The city and, in the US, the state", "type": "string"},
                        "days": {"type": "integer", "minimum": 0, "maximum": 255},
                    },
                    "required": ["city"],
                    "additionalProperties": false,
                },
            },
        },
    ]);
    assert_eq!(tools.to_string(), expected.to_string());
    Ok(())
}

#[test]
fn a_reply_may_be_text_a_value_a_type_a_message_or_the_calls() -> Tested {
    #[derive(Deserialize, Serialize)]
    struct Message {
        role: String,
        tool_calls: Vec<Value>,
    }
    let text = fixture("parallel.json")?;
    let whole: Value = serde_json::from_str(&text)?;
    let message = &whole["choices"][0]["message"];
    let typed: Message = serde_json::from_value(message.clone())?;
    let from_text = openai::tool_calls(&text)?;
    assert_eq!(from_text.len(), 2);
    assert_eq!(openai::tool_calls(&*text)?, from_text);
    assert_eq!(openai::tool_calls(&whole)?, from_text);
    assert_eq!(openai::tool_calls(message)?, from_text);
    assert_eq!(openai::tool_calls(&typed)?, from_text);
    assert_eq!(openai::tool_calls(&message["tool_calls"])?, from_text);
    Ok(())
}

#[test]
fn arguments_may_be_an_object_as_some_servers_send_them() -> Tested {
    let calls = openai::tool_calls(&json!([
        {"id": "a", "type": "function", "function": {"name": "weather", "arguments": {"city": "Oslo"}}},
        {"function": {"name": "ping"}},
        {"id": 7},
    ]))?;
    let expected = [
        ToolCall::new("weather", json!({"city": "Oslo"})).id("a"),
        ToolCall::new("ping", ""),
        ToolCall::new("", ""),
    ];
    assert_eq!(calls, expected);
    Ok(())
}

#[test]
fn what_is_no_reply_says_so() {
    for (reply, expected) in [
        (
            "{",
            "the reply is not valid JSON: EOF while parsing an object at line 1 column 1",
        ),
        (
            "{}",
            "the reply has neither `choices` nor `tool_calls`; give a Chat Completions response or message",
        ),
        (
            "7",
            "the reply has neither `choices` nor `tool_calls`; give a Chat Completions response or message",
        ),
        (
            r#"{"choices": []}"#,
            "the reply has no `choices[0].message`",
        ),
        (
            r#"{"role": "assistant", "tool_calls": 7}"#,
            "`tool_calls` is no array",
        ),
        (
            r#"{"error": {"message": "no quota"}}"#,
            r#"the reply is an error: {"message":"no quota"}"#,
        ),
    ] {
        let error = openai::tool_calls(reply)
            .err()
            .map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(expected), "{reply}");
    }
}

#[tokio::test]
async fn what_goes_out_may_be_a_type_of_the_users() -> Tested {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Message {
        role: String,
        tool_call_id: String,
        content: String,
    }
    #[derive(Deserialize)]
    struct Tool {
        r#type: String,
    }
    let session = session()?;
    let results = session.execute([ToolCall::new("ping", "{}").id("c")]).await;
    let messages: Vec<Message> = openai::tool_messages_as(&results)?;
    let expected = Message {
        role: "tool".into(),
        tool_call_id: "c".into(),
        content: "done".into(),
    };
    assert_eq!(messages, [expected]);
    let tools: Vec<Tool> = openai::tools_as(&session.definitions())?;
    assert!(tools.iter().all(|tool| tool.r#type == "function"));
    let wrong = openai::tool_messages_as::<Vec<u8>>(&results)
        .err()
        .map(|error| error.to_string());
    assert!(
        wrong
            .unwrap_or_default()
            .starts_with("`alloc::vec::Vec<u8>` does not take this")
    );
    Ok(())
}

#[tokio::test]
async fn a_thousand_calls_get_a_thousand_answers() -> Tested {
    let calls: Vec<Value> = (0..1_000)
        .map(|index| {
            let name = if index % 10 == 0 { "ping" } else { "weather" };
            let arguments = if name == "ping" { "{}" } else { r#"{"city":"Oslo"}"# };
            json!({"id": format!("call_{index}"), "type": "function", "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    let results = session()?.execute(openai::tool_calls(&calls)?).await;
    assert_eq!(results.len(), 1_000);
    assert!(results.iter().enumerate().all(|(index, result)| {
        result.id() == format!("call_{index}") && result.error().is_none()
    }));
    Ok(())
}
