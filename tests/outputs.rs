//! What a result may hold, how much of it a model gets, and how it reads the rest.

use chatluna_tool::openai::responses;
use chatluna_tool::{
    Content, IntoToolOutput, Json, Link, Media, ToolCall, ToolError, ToolOutput, ToolResult,
    anthropic, gemini, openai,
};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;

type Tested = Result<(), Box<dyn Error>>;

/// Bytes that no text holds, whose base64 has both of the signs that differ between alphabets.
const BYTES: [u8; 4] = [0xfb, 0xff, 0xfe, 0x00];

fn every_part() -> [(Content, Value); 9] {
    let link = Link::new("https://example.org/a.csv");
    let whole = link
        .clone()
        .with_name("a.csv")
        .with_title("Table A")
        .with_description("the raw numbers")
        .with_mime_type("text/csv");
    [
        (
            Content::text("a\nb"),
            json!({"type": "text", "text": "a\nb"}),
        ),
        (
            Content::image(&BYTES, "image/png"),
            json!({"type": "image", "data": "+//+AA==", "mimeType": "image/png"}),
        ),
        (
            Content::image(&BYTES, "image/png").with_name("a b.png"),
            json!({"type": "image", "data": "+//+AA==", "mimeType": "image/png",
                "_meta": {"name": "a b.png"}}),
        ),
        (
            Content::audio(BYTES.to_vec(), "audio/wav"),
            json!({"type": "audio", "data": "+//+AA==", "mimeType": "audio/wav"}),
        ),
        (
            Content::file(b"", "application/pdf"),
            json!({"type": "resource", "resource":
                {"uri": "attachment:", "mimeType": "application/pdf", "blob": ""}}),
        ),
        (
            Content::file(&BYTES, "application/pdf").with_name("a b/ä%.pdf"),
            json!({"type": "resource", "resource": {"uri": "attachment:a%20b%2F%C3%A4%25.pdf",
                "mimeType": "application/pdf", "blob": "+//+AA=="}}),
        ),
        (
            link.clone().into(),
            json!({"type": "resource_link", "uri": link.uri(), "name": link.uri()}),
        ),
        (
            Content::link(link.uri()).with_name("a.csv"),
            json!({"type": "resource_link", "uri": link.uri(), "name": "a.csv"}),
        ),
        (
            whole.into(),
            json!({"type": "resource_link", "uri": link.uri(), "name": "a.csv",
                "title": "Table A", "description": "the raw numbers", "mimeType": "text/csv"}),
        ),
    ]
}

#[test]
fn every_part_is_a_content_block_of_mcp_and_back() -> Tested {
    for (part, block) in every_part() {
        assert_eq!(serde_json::to_value(&part)?, block);
        assert_eq!(serde_json::from_value::<Content>(block)?, part);
        assert_eq!(
            serde_json::from_str::<Content>(&serde_json::to_string(&part)?)?,
            part
        );
    }
    Ok(())
}

#[test]
fn blocks_of_other_servers_are_read() -> Tested {
    let read = serde_json::from_value::<Content>;
    let text = json!({"type": "resource", "resource":
        {"uri": "file:///src/main%20x.rs", "mimeType": "text/x-rust", "text": "fn main() {}"}});
    let expected = Content::file(b"fn main() {}", "text/x-rust").with_name("main x.rs");
    assert_eq!(read(text)?, expected);
    let bare = json!({"type": "resource", "resource": {"uri": "db://x/", "blob": "AA=="}});
    assert_eq!(read(bare)?, Content::file(&[0], "application/octet-stream"));
    let more = json!({"type": "text", "text": "x", "annotations": {"priority": 1}});
    assert_eq!(read(more)?, Content::text("x"));
    for (block, error) in [
        (
            json!({"type": "image", "data": "?", "mimeType": "image/png"}),
            "not in base64",
        ),
        (
            json!({"type": "resource", "resource": {"uri": "x:y"}}),
            "neither `blob` nor `text`",
        ),
        (json!({"type": "video"}), "unknown variant `video`"),
    ] {
        let told = read(block).err().map(|error| error.to_string());
        assert!(
            told.as_ref().is_some_and(|told| told.contains(error)),
            "{told:?}"
        );
    }
    Ok(())
}

#[test]
fn a_part_that_is_no_text_is_described_where_text_is_wanted() {
    let output = ToolOutput::text("Two things:")
        .with_part(Content::image(vec![0; 12 << 10], "image/png").with_name("a \"b\".png"))
        .with_part(Content::audio(&[0], "audio/wav"))
        .with_part(Media::new(&[0; 2], "application/zip"))
        .with_part(
            Link::new("https://example.org")
                .with_title("Home")
                .with_description("all"),
        )
        .with_part("and that is all");
    assert_eq!(
        output.to_text(),
        "Two things:\n\
         [image image/png, 12 KiB, \"a \\\"b\\\".png\"]\n\
         [audio audio/wav, 1 B]\n\
         [file application/zip, 2 B]\n\
         [link https://example.org, \"Home\": all]\n\
         and that is all"
    );
    assert!(!format!("{output:?}").contains("0, 0"), "{output:?}");
}

#[test]
fn a_tool_may_return_media_and_links() -> Tested {
    let image = Media::new(&BYTES, "image/png");
    let kinds = [
        ("image/png", "image"),
        ("audio/ogg", "audio"),
        ("text/csv", "resource"),
    ];
    for (mime_type, kind) in kinds {
        let output = Media::new(&BYTES, mime_type).into_tool_output()?;
        assert_eq!(serde_json::to_value(&output.content()[0])?["type"], kind);
    }
    assert_eq!(
        Some(image.clone()).into_tool_output()?,
        ToolOutput::from(image)
    );
    let link = Link::new("https://example.org").into_tool_output()?;
    assert!(matches!(link.content(), [Content::Link(_)]));
    Ok(())
}

#[test]
fn data_stands_beside_text_of_its_own() {
    let output = ToolOutput::text("3 changed").with_structured(json!({"changed": 3}));
    assert_eq!(output.to_text(), "3 changed");
    assert_eq!(output.structured(), Some(&json!({"changed": 3})));
    assert_eq!(
        output.clone().with_structured(1).structured(),
        Some(&json!(1))
    );
}

fn answers(outputs: impl IntoIterator<Item = ToolOutput>) -> Vec<ToolResult> {
    let calls = (1..).map(|number| ToolCall::new("draw", "{}").id(format!("call_{number}")));
    let outputs = calls.zip(outputs);
    outputs
        .map(|(call, output)| ToolResult::answer(&call, Ok(output)))
        .collect()
}

/// Every kind of part, with text around it; media alone; text alone, in two parts.
fn every_result() -> Vec<ToolResult> {
    let link = Link::new("https://example.org/a.csv").with_description("the raw numbers");
    answers([
        ToolOutput::text("All of it:")
            .with_part(Content::image(&BYTES, "image/png").with_name("a.png"))
            .with_part(Content::image(&BYTES, "image/tiff"))
            .with_part(Content::file(&BYTES, "application/pdf").with_name("a.pdf"))
            .with_part(Content::file(b"a,b", "text/plain"))
            .with_part(Content::file(&BYTES, "application/zip"))
            .with_part(Content::audio(&BYTES, "audio/wav"))
            .with_part(link)
            .with_part("That was \x1b[1mall\x1b[0m."),
        ToolOutput::from(Media::new(&BYTES, "image/webp")).with_part(" \n"),
        ToolOutput::text("One\0").with_part("two"),
    ])
}

#[test]
fn every_provider_gets_media_in_its_own_form() -> Tested {
    let results = every_result();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("wire");
    for (name, sent) in [
        ("openai/media", openai::tool_messages(&results)),
        ("openai-responses/media", responses::tool_messages(&results)),
        ("anthropic/media", anthropic::tool_messages(&results)),
        ("gemini/media", gemini::tool_messages(&results)),
        ("gemini/media_as_text", gemini::text_tool_messages(&results)),
    ] {
        let expected = std::fs::read_to_string(folder.join(format!("{name}.messages.json")))?;
        assert_eq!(sent, serde_json::from_str::<Value>(&expected)?, "{name}");
    }
    Ok(())
}

#[test]
fn a_failure_is_told_in_words() {
    let call = ToolCall::new("draw", "{}").id("call_1");
    let results = [ToolResult::answer(&call, Err(ToolError::new("no \x07ink")))];
    let text = "error (failed): no \u{2407}ink";
    assert_eq!(openai::tool_messages(&results)[0]["content"], text);
    assert_eq!(responses::tool_messages(&results)[0]["output"], text);
    assert_eq!(
        anthropic::tool_messages(&results)[0]["content"][0]["content"],
        text
    );
    let part = &gemini::tool_messages(&results)[0]["parts"][0];
    assert_eq!(part["functionResponse"]["response"], json!({"error": text}));
}

#[test]
fn a_model_never_reads_both_data_and_its_text() -> Tested {
    let data = Json(json!({"changed": [3, 4]})).into_tool_output()?;
    let own = ToolOutput::text("3 changed").with_structured(json!({"changed": 3}));
    let longer = ToolOutput::text(r#"{"changed":3} files"#).with_structured(json!({"changed": 3}));
    let results = answers([data, own, longer]);
    let responses: Vec<Value> = gemini::tool_messages(&results)[0]["parts"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|part| part["functionResponse"]["response"].clone())
        .collect();
    assert_eq!(
        responses,
        [
            json!({"changed": [3, 4]}),
            json!({"output": "3 changed"}),
            json!({"output": r#"{"changed":3} files"#}),
        ]
    );
    let texts = openai::tool_messages(&results);
    assert_eq!(texts[0]["content"], r#"{"changed":[3,4]}"#);
    assert_eq!(texts[1]["content"], "3 changed");
    Ok(())
}
