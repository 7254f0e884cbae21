//! Replies in the exact shape of a provider's API, and the messages that answer them.

use chatluna_tool::openai::responses;
use chatluna_tool::provider::{Assemble, Deltas, Dialect};
use chatluna_tool::{
    Effect, ErrorKind, FnTool, Runtime, Session, SessionInfo, Tool, ToolCall, ToolDefinition,
    ToolError, ToolResult, Traits, WireError, anthropic, gemini, openai, tool,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};

type Tested = Result<(), Box<dyn Error>>;
type Calls = Result<Vec<ToolCall>, WireError>;

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

/// The four formats, behind one face.
struct Format {
    folder: &'static str,
    tools: fn(&[ToolDefinition]) -> Value,
    calls: fn(&str) -> Calls,
    messages: fn(&[ToolResult]) -> Value,
    stream: fn(&[&[u8]]) -> Calls,
}

const FORMATS: [Format; 4] = [
    Format {
        folder: "openai",
        tools: openai::tools,
        calls: |reply| openai::tool_calls(reply),
        messages: openai::tool_messages,
        stream: |pieces| pushed(openai::Deltas::new(), pieces),
    },
    Format {
        folder: "openai-responses",
        tools: responses::tools,
        calls: |reply| responses::tool_calls(reply),
        messages: responses::tool_messages,
        stream: |pieces| pushed(responses::Deltas::new(), pieces),
    },
    Format {
        folder: "anthropic",
        tools: anthropic::tools,
        calls: |reply| anthropic::tool_calls(reply),
        messages: anthropic::tool_messages,
        stream: |pieces| pushed(anthropic::Deltas::new(), pieces),
    },
    Format {
        folder: "gemini",
        tools: gemini::tools,
        calls: |reply| gemini::tool_calls(reply),
        messages: gemini::tool_messages,
        stream: |pieces| pushed(gemini::Deltas::new(), pieces),
    },
];

fn pushed<A: Assemble>(mut deltas: Deltas<A>, pieces: &[&[u8]]) -> Calls {
    for piece in pieces {
        deltas.push(piece);
    }
    deltas.finish()
}

fn wire(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("wire")
        .join(file)
}

fn fixture(file: &str) -> Result<String, std::io::Error> {
    std::fs::read_to_string(wire(file))
}

/// The names of the recorded replies in a folder, sorted.
fn replies(folder: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for file in std::fs::read_dir(wire(folder))? {
        let file = file?.file_name().into_string().unwrap_or_default();
        let stem = file
            .strip_suffix(".json")
            .filter(|stem| !stem.contains('.'));
        names.extend(stem.map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

const EVERY: [&str; 9] = [
    "empty_arguments",
    "missing_arguments",
    "no_calls",
    "parallel",
    "refusal",
    "repeated_id",
    "text_beside_calls",
    "unicode",
    "unknown_tool",
];

#[test]
fn every_format_has_every_case() -> Tested {
    for format in FORMATS {
        let mut found = replies(format.folder)?;
        found.retain(|name| name != "bad_arguments");
        assert_eq!(found, EVERY, "{}", format.folder);
    }
    Ok(())
}

#[tokio::test]
async fn every_recorded_reply_and_stream_gets_its_messages() -> Tested {
    let session = session()?;
    for format in FORMATS {
        for name in replies(format.folder)? {
            let path = format!("{}/{name}", format.folder);
            let expected: Value =
                serde_json::from_str(&fixture(&format!("{path}.messages.json"))?)?;
            let calls = (format.calls)(&fixture(&format!("{path}.json"))?)?;
            let results = session.execute(calls).await;
            assert_eq!((format.messages)(&results), expected, "{path}.json");

            let stream = fixture(&format!("{path}.sse"))?;
            let calls = (format.stream)(&[stream.as_bytes()])?;
            let results = session.execute(calls).await;
            assert_eq!((format.messages)(&results), expected, "{path}.sse");
        }
    }
    Ok(())
}

/// In two at every place, every byte alone, and 50 random ways.
#[test]
fn a_stream_gives_the_same_calls_wherever_it_is_cut() -> Tested {
    let mut random = fastrand::Rng::with_seed(7);
    for format in FORMATS {
        let names = replies(format.folder)?
            .into_iter()
            .map(|name| format!("{name}.sse"));
        let array = wire(&format!("{}/parallel.array", format.folder)).exists();
        for name in names.chain(array.then(|| "parallel.array".to_owned())) {
            let stream = std::fs::read(wire(&format!("{}/{name}", format.folder)))?;
            let whole = (format.stream)(&[&stream])?;
            let same = |pieces: &[&[u8]]| {
                let calls = (format.stream)(pieces).ok();
                assert_eq!(calls.as_ref(), Some(&whole), "{}/{name}", format.folder);
            };
            // All places of all recordings take a minute; these two hold everything there is.
            let every_place = name.starts_with("parallel") || name.starts_with("unicode");
            for at in (0..stream.len()).filter(|_| every_place) {
                let (left, right) = stream.split_at(at);
                same(&[left, right]);
            }
            same(&stream.chunks(1).collect::<Vec<_>>());
            for _ in 0..50 {
                let mut pieces = Vec::new();
                let mut rest = &stream[..];
                while !rest.is_empty() {
                    let (piece, behind) = rest.split_at(random.usize(1..=rest.len().min(97)));
                    pieces.push(piece);
                    rest = behind;
                }
                same(&pieces);
            }
        }
    }
    Ok(())
}

/// A stream that stops anywhere gives whole calls and broken ones, never a shorter one that runs.
#[tokio::test]
async fn a_stream_that_stops_early_never_runs_half_a_call() -> Tested {
    let session = session()?;
    for format in FORMATS {
        for name in ["parallel", "missing_arguments"] {
            let stream = std::fs::read(wire(&format!("{}/{name}.sse", format.folder)))?;
            let whole = session.execute((format.stream)(&[&stream])?).await;
            let whole: Vec<_> = whole
                .iter()
                .map(|result| result.text().into_owned())
                .collect();
            for end in 0..stream.len() {
                let Ok(calls) = (format.stream)(&[&stream[..end]]) else {
                    continue;
                };
                let results = session.execute(calls).await;
                for (result, expected) in results.iter().zip(&whole) {
                    let broken = result.error() == Some(ErrorKind::MalformedArguments);
                    assert!(
                        broken || result.text() == **expected || result.name().is_empty(),
                        "{}/{name} up to {end}: {result:?}",
                        format.folder
                    );
                }
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn an_event_that_is_lost_breaks_its_call_alone() -> Tested {
    let session = session()?;
    // In Gemini's a call is one event: lost with it, it left no trace.
    for (format, expected) in FORMATS.iter().take(3).zip([
        [Some(ErrorKind::MalformedArguments), None],
        // The event that ends a call repeats it whole.
        [None, None],
        [Some(ErrorKind::MalformedArguments), None],
    ]) {
        let stream = fixture(&format!("{}/parallel.sse", format.folder))?;
        let events: Vec<&str> = stream.split_inclusive("\n\n").collect();
        let lost = events.iter().position(|event| event.contains("n, MA"));
        let lost = lost.ok_or("no such event")?;
        let damaged: Vec<String> = events
            .iter()
            .enumerate()
            .map(|(index, event)| match index {
                index if index == lost => event.replace('}', ""),
                _ => (*event).to_owned(),
            })
            .collect();
        let pieces: Vec<&[u8]> = damaged.iter().map(String::as_bytes).collect();
        let results = session.execute((format.stream)(&pieces)?).await;
        let kinds: Vec<_> = results.iter().map(ToolResult::error).collect();
        assert_eq!(kinds, expected, "{}", format.folder);
    }
    Ok(())
}

#[test]
fn a_stream_without_calls_that_broke_says_so() {
    for (format, error) in FORMATS.iter().zip([
        r#"{"error":{"message":"The server had an error"}}"#,
        r#"{"type":"response.failed","response":{"error":{"message":"The server had an error"}}}"#,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"The server had an error"}}"#,
        r#"[{"error":{"code":503,"message":"The server had an error"}}]"#,
    ]) {
        let told = |text: &str| (format.stream)(&[text.as_bytes()]).err().map(|error| error.to_string());
        let reported = told(&format!("event: error\ndata: {error}\n\n")).unwrap_or_default();
        assert!(reported.contains("The server had an error"), "{}: {reported}", format.folder);
        assert_eq!(told(error).unwrap_or_default(), reported);
        assert_eq!(told(""), Some("the stream held no events".to_owned()));
        assert_eq!(told("<html>Bad Gateway</html>\n"), Some("the stream held no events".to_owned()));
        let broken = told("data: {\"a\n\n").unwrap_or_default();
        assert!(broken.starts_with("an event of the stream is not valid JSON"), "{broken}");
    }
}

#[test]
fn servers_that_number_every_call_alike_are_understood() -> Tested {
    let mut deltas = openai::Deltas::new();
    for id in ["a", "b"] {
        deltas.push_event(&json!({"choices": [{"index": 0, "delta": {"tool_calls": [
            {"index": 0, "id": id, "function": {"name": "ping", "arguments": {"of": id}}},
        ]}}]}));
    }
    let calls = deltas.finish()?;
    let call = |id| ToolCall::new("ping", json!({"of": id})).id(id);
    let expected = ["a", "b"].map(|id| call(id).dialect(Dialect::OpenAi));
    assert_eq!(calls, expected);
    Ok(())
}

#[tokio::test]
async fn gemini_gets_objects_and_no_references() -> Tested {
    let runtime = Runtime::builder()
        .tool(returning("object", json!({"a": [1]})))
        .tool(returning("reference", json!({"a": [{"$ref": "#/x"}]})))
        .tool(returning("list", json!([1])))
        .build()?;
    let session = runtime.session(SessionInfo::new("wire"));
    let calls = ["list", "object", "reference"].map(|name| ToolCall::new(name, "{}").id(name));
    let messages = gemini::tool_messages(&session.execute(calls).await);
    let expected = json!([{"role": "user", "parts": [
        {"functionResponse": {"name": "list", "response": {"output": "[1]"}, "id": "list"}},
        {"functionResponse": {"name": "object", "response": {"a": [1]}, "id": "object"}},
        {"functionResponse": {"name": "reference", "response": {"output": r##"{"a":[{"$ref":"#/x"}]}"##}, "id": "reference"}},
    ]}]);
    assert_eq!(messages, expected);
    Ok(())
}

fn returning(name: &str, value: Value) -> impl Tool {
    let definition =
        ToolDefinition::new(name, "Returns").traits(Traits::new().effect(Effect::Read));
    FnTool::new(definition, move |_: HashMap<String, Value>, _| {
        std::future::ready(value.clone())
    })
}

#[test]
fn every_format_names_and_describes_its_tools() -> Tested {
    let definitions = session()?.definitions();
    let parameters = |name: &str| {
        let tool = definitions.iter().find(|tool| tool.name() == name);
        tool.map(|tool| tool.parameters().clone())
            .unwrap_or_default()
    };
    let (ping, weather) = (parameters("ping"), parameters("weather"));
    let answers = "Answers";
    let current = "Current weather of a city";
    let expected = [
        json!([
            {"type": "function", "function": {"name": "ping", "description": answers, "parameters": ping}},
            {"type": "function", "function": {"name": "weather", "description": current, "parameters": weather}},
        ]),
        json!([
            {"type": "function", "name": "ping", "description": answers, "parameters": ping, "strict": false},
            {"type": "function", "name": "weather", "description": current, "parameters": weather, "strict": false},
        ]),
        json!([
            {"name": "ping", "description": answers, "input_schema": ping},
            {"name": "weather", "description": current, "input_schema": weather},
        ]),
        json!([{"functionDeclarations": [
            {"name": "ping", "description": answers},
            {"name": "weather", "description": current, "parameters": {
                "type": "object",
                "properties": weather["properties"],
                "required": ["city"],
            }},
        ]}]),
    ];
    for (format, expected) in FORMATS.iter().zip(expected) {
        assert_eq!(
            (format.tools)(&definitions).to_string(),
            expected.to_string()
        );
    }
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
    let text = fixture("openai/parallel.json")?;
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
    ]
    .map(|call| call.dialect(Dialect::OpenAi));
    assert_eq!(calls, expected);
    Ok(())
}

#[test]
fn what_is_no_reply_says_so() {
    let neither = [
        "the reply has neither `choices` nor `tool_calls`; give a Chat Completions response or message",
        "the reply has no `output`; give a response of the Responses API or its output items",
        "the reply has no `content`; give a response of the Messages API or its content blocks",
        "the reply has no `candidates`; give a response of generateContent or its content",
    ];
    let cut = "the reply is not valid JSON: EOF while parsing an object at line 1 column 1";
    let refused = r#"the reply is an error: {"message":"no quota"}"#;
    for (format, neither) in FORMATS.iter().zip(neither) {
        let told = |reply: &str| (format.calls)(reply).err().map(|error| error.to_string());
        assert_eq!(told("{").as_deref(), Some(cut));
        assert_eq!(told("{}").as_deref(), Some(neither));
        assert_eq!(told("7").as_deref(), Some(neither));
        assert_eq!(
            told(r#"{"error": {"message": "no quota"}}"#).as_deref(),
            Some(refused)
        );
    }
    for (reply, expected) in [
        (
            r#"{"choices": []}"#,
            "the reply has no `choices[0].message`",
        ),
        (
            r#"{"role": "assistant", "tool_calls": 7}"#,
            "`tool_calls` is no array",
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
async fn a_thousand_calls_get_a_thousand_answers_in_every_format() -> Tested {
    let session = session()?;
    let arguments = json!({"city": "Oslo"});
    let text = arguments.to_string();
    let many = |one: &dyn Fn(String) -> Value| -> Vec<Value> {
        (0..1_000)
            .map(|index| one(format!("call_{index}")))
            .collect()
    };
    let replies = [
        json!(many(
            &|id| json!({"id": id, "type": "function", "function": {"name": "weather", "arguments": text}})
        )),
        json!({"output": many(&|id| json!({"type": "function_call", "call_id": id, "name": "weather", "arguments": text}))}),
        json!({"content": many(&|id| json!({"type": "tool_use", "id": id, "name": "weather", "input": arguments}))}),
        json!({"candidates": [{"content": {"role": "model", "parts": many(&|id| json!({"functionCall": {"id": id, "name": "weather", "args": arguments}}))}}]}),
    ];
    for (format, reply) in FORMATS.iter().zip(replies) {
        let results = session.execute((format.calls)(&reply.to_string())?).await;
        assert_eq!(results.len(), 1_000, "{}", format.folder);
        assert!(results.iter().enumerate().all(|(index, result)| {
            result.id() == format!("call_{index}") && result.error().is_none()
        }));
        let messages = (format.messages)(&results).to_string();
        assert_eq!(messages.matches("Oslo: sunny").count(), 1_000);
    }
    Ok(())
}

/// A call that has the last word of a reply which hit a limit.
#[tokio::test]
async fn a_reply_that_was_cut_off_never_runs_half_a_call() -> Tested {
    let session = session()?;
    let [chat, responses, anthropic, gemini] = FORMATS;
    let sse = |events: &[Value]| -> String {
        events
            .iter()
            .map(|event| format!("data: {event}\n\n"))
            .collect()
    };
    let chat_call = json!([{"index": 0, "id": "c", "type": "function", "function": {"name": "ping", "arguments": ""}}]);
    let item = json!({"type": "function_call", "call_id": "c", "name": "ping", "arguments": "", "status": "incomplete"});
    let block = json!({"type": "tool_use", "id": "c", "name": "ping", "input": {}});
    let whole = [
        (
            &chat,
            json!({"choices": [{"message": {"tool_calls": chat_call}, "finish_reason": "length"}]}),
        ),
        (
            &responses,
            json!({"status": "incomplete", "output": [item]}),
        ),
        (
            &anthropic,
            json!({"content": [block], "stop_reason": "max_tokens"}),
        ),
    ];
    let streamed = [
        (
            &chat,
            sse(&[
                json!({"choices": [{"delta": {"tool_calls": chat_call}}]}),
                json!({"choices": [{"delta": {}, "finish_reason": "length"}]}),
            ]),
        ),
        (
            &responses,
            sse(&[
                json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
                json!({"type": "response.function_call_arguments.done", "output_index": 0, "arguments": ""}),
                json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
                json!({"type": "response.incomplete", "response": {"output": [item]}}),
            ]),
        ),
        (
            &anthropic,
            sse(&[
                json!({"type": "content_block_start", "index": 1, "content_block": block}),
                json!({"type": "content_block_stop", "index": 1}),
                json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}),
                json!({"type": "message_stop"}),
            ]),
        ),
        (
            &gemini,
            sse(&[
                json!({"candidates": [{"content": {"parts": [{"functionCall": {"name": "ping", "willContinue": true}}]}}]}),
                json!({"candidates": [{"content": {"parts": [{"functionCall": {"partialArgs": [{"jsonPath": "$.a"}]}}]}}]}),
                json!({"candidates": [{"content": {"parts": [{"functionCall": {}}]}, "finishReason": "STOP"}]}),
            ]),
        ),
    ];
    let mut replies = Vec::new();
    for (format, reply) in whole {
        replies.push((format.folder, (format.calls)(&reply.to_string())?));
    }
    for (format, stream) in streamed {
        replies.push((format.folder, (format.stream)(&[stream.as_bytes()])?));
    }
    for (folder, calls) in replies {
        let results = session.execute(calls).await;
        let kinds: Vec<_> = results.iter().map(ToolResult::error).collect();
        assert_eq!(
            kinds,
            [Some(ErrorKind::MalformedArguments)],
            "{folder}: {results:?}"
        );
    }
    Ok(())
}

#[test]
fn a_reply_that_stopped_in_its_text_is_not_done() {
    for (format, event) in FORMATS.iter().zip([
        json!({"choices": [{"index": 0, "delta": {"content": "Hel"}}]}),
        json!({"type": "response.output_text.delta", "delta": "Hel"}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}}),
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Hel"}]}}]}),
    ]) {
        let told = (format.stream)(&[format!("data: {event}\n\n").as_bytes()]).err();
        let told = told.map(|error| error.to_string());
        let expected = "the stream ended before the reply did; send the request again";
        assert_eq!(told.as_deref(), Some(expected), "{}", format.folder);
    }
    let malformed = r#"{"candidates": [{"content": {"role": "model"}, "finishReason": "MALFORMED_FUNCTION_CALL"}]}"#;
    assert!(gemini::tool_calls(malformed).is_err());
}

#[test]
fn an_error_event_of_the_responses_api_is_told() {
    let event = r#"data: {"type":"error","code":"server_error","message":"overloaded"}"#;
    let told = (FORMATS[1].stream)(&[event.as_bytes()])
        .err()
        .map(|error| error.to_string());
    assert!(told.unwrap_or_default().contains("overloaded"));
}

#[test]
fn a_stream_may_hold_empty_events_and_other_choices() -> Tested {
    let mut deltas = openai::Deltas::new();
    let piece = |choice: u8, arguments: &str| {
        let delta = json!({"tool_calls": [{"index": 0, "id": format!("c{choice}"), "function": {"name": "ping", "arguments": arguments}}]});
        format!(
            "data: {}\n\n",
            json!({"choices": [{"index": choice, "delta": delta}]})
        )
    };
    for part in [
        piece(0, "{\"a\""),
        "data:\n\n".to_owned(),
        piece(1, "[]"),
        piece(0, ":1}"),
        "data: [DONE]\n\n".to_owned(),
    ] {
        deltas.push(part);
    }
    let expected = ToolCall::new("ping", "{\"a\":1}").id("c0");
    assert_eq!(deltas.finish()?, [expected.dialect(Dialect::OpenAi)]);
    Ok(())
}

#[test]
fn a_host_program_can_answer_a_call_itself() {
    let call = ToolCall::new("ping", "{}").id("c");
    let stopped = ToolError::of_kind(ErrorKind::Unavailable, "the turn was stopped");
    let messages = openai::tool_messages(&[ToolResult::answer(&call, Err(stopped))]);
    let expected = json!([{"role": "tool", "tool_call_id": "c", "content": "error (unavailable): the turn was stopped"}]);
    assert_eq!(messages, expected);
}
