//! What a result may hold, how much of it a model gets, and how it reads the rest.

use chatluna_tool::{Content, IntoToolOutput, Link, Media, ToolOutput};
use serde_json::{Value, json};
use std::error::Error;

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
