//! What a result may hold, how much of it a model gets, and how it reads the rest.

use chatluna_tool::openai::responses;
use chatluna_tool::{
    ArgumentError, Arguments, BuildError, Content, Effect, ErrorKind, FnTool, IntoToolOutput, Json,
    Link, Media, OutputCap, PermissionPolicy, PreparedCall, Rule, Runtime, RuntimeBuilder, Session,
    SessionInfo, Tool, ToolCall, ToolDefinition, ToolError, ToolOutput, ToolResult, Traits,
    anthropic, gemini, openai,
};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

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

/// A tool that returns this.
fn returning(name: &str, output: impl IntoToolOutput + Clone + Send + Sync + 'static) -> impl Tool {
    returning_with(name, Traits::new(), output)
}

fn returning_with(
    name: &str,
    traits: Traits,
    output: impl IntoToolOutput + Clone + Send + Sync + 'static,
) -> impl Tool {
    let definition = ToolDefinition::new(name, "Returns").traits(traits.effect(Effect::Read));
    FnTool::new(definition, move |_: Value, _| {
        std::future::ready(output.clone())
    })
}

fn open(builder: RuntimeBuilder) -> Result<Session, BuildError> {
    Ok(builder.build()?.session(SessionInfo::new("outputs")))
}

async fn text_of(session: &Session, tool: &str) -> String {
    session.call(tool, "{}").await.text().into_owned()
}

/// What `read_output` says to these arguments.
async fn read(session: &Session, arguments: Value) -> String {
    session
        .call("read_output", arguments)
        .await
        .text()
        .into_owned()
}

fn numbered(lines: usize) -> String {
    (1..=lines)
        .map(|number| format!("line {number}\n"))
        .collect()
}

#[tokio::test]
async fn a_result_within_the_cap_is_whole() -> Tested {
    let session = open(
        Runtime::builder()
            .tool(returning("bytes", "x".repeat(50 << 10)))
            .tool(returning("lines", "\n".repeat(2_000)))
            .tool(returning("ends", format!("{}end", "\n".repeat(1_999)))),
    )?;
    assert_eq!(text_of(&session, "bytes").await.len(), 50 << 10);
    assert_eq!(text_of(&session, "lines").await.len(), 2_000);
    assert_eq!(text_of(&session, "ends").await.len(), 2_002);
    assert_eq!(names(&session), ["bytes", "ends", "lines"]);
    let missing = session
        .call("read_output", json!({"handle": "output_1"}))
        .await;
    assert_eq!(missing.error(), Some(ErrorKind::UnknownTool));
    Ok(())
}

fn names(session: &Session) -> Vec<String> {
    let definitions = session.definitions();
    definitions
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect()
}

#[tokio::test]
async fn a_longer_result_is_cut_in_the_middle_by_whole_lines() -> Tested {
    let cap = OutputCap::new().bytes(300).lines(100);
    let builder = Runtime::builder().output_cap(cap);
    let session = open(builder.tool(returning("count", numbered(1_000))))?;
    assert_eq!(
        text_of(&session, "count").await,
        "line 1\nline 2\nline 3\nline 4\n\
         [... the middle is left out: this output has 8,893 bytes in 1,000 lines; \
         read_output {\"handle\": \"output_1\", \"offset\": 5} goes on here ...]\n\
         line 998\nline 999\nline 1000\n"
    );
    Ok(())
}

#[tokio::test]
async fn a_result_of_too_many_lines_is_cut() -> Tested {
    let cap = OutputCap::new().lines(5);
    let builder = Runtime::builder().output_cap(cap);
    let session = open(builder.tool(returning("count", numbered(6))))?;
    let text = text_of(&session, "count").await;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(
        [lines[0], lines[1], lines[3], lines[4]],
        ["line 1", "line 2", "line 5", "line 6"]
    );
    assert!(
        lines[2].contains("42 bytes in 6 lines") && lines[2].contains("\"offset\": 3}"),
        "{text}"
    );

    let session = open(Runtime::builder().tool(returning("count", "\n".repeat(2_001))))?;
    let text = text_of(&session, "count").await;
    assert_eq!(text.lines().count(), 2_000, "{text}");
    Ok(())
}

#[tokio::test]
async fn a_tool_may_have_a_cap_of_its_own() -> Tested {
    let cap = |bytes| Traits::new().output_cap(bytes);
    let session = open(
        Runtime::builder()
            .output_cap(OutputCap::new().bytes(1_000).lines(50))
            .tool(returning("usual", "x".repeat(2_000)))
            .tool(returning_with("tight", cap(500), "x".repeat(2_000)))
            .tool(returning_with("wide", cap(2_000), "x".repeat(2_000)))
            .tool(returning_with("wide_in_lines", cap(2_000), "\n".repeat(51)))
            .tool(returning_with(
                "whole",
                cap(Traits::NO_OUTPUT_CAP),
                "\n".repeat(90_000),
            )),
    )?;
    let mut lengths = Vec::new();
    for tool in ["tight", "usual", "wide", "wide_in_lines", "whole"] {
        lengths.push(text_of(&session, tool).await.len());
    }
    assert!((250..=500).contains(&lengths[0]), "{lengths:?}");
    assert!((750..=1_000).contains(&lengths[1]), "{lengths:?}");
    assert_eq!(lengths[2], 2_000);
    assert!(lengths[3] > 51, "{lengths:?}");
    assert_eq!(lengths[4], 90_000);
    Ok(())
}

#[tokio::test]
async fn a_cap_that_is_too_small_leaves_the_way_to_the_rest() -> Tested {
    for cap in [
        OutputCap::new().bytes(1),
        OutputCap::new().lines(1),
        OutputCap::new().lines(0),
    ] {
        let session = open(
            Runtime::builder()
                .output_cap(cap)
                .tool(returning("count", "a\nb")),
        )?;
        let text = text_of(&session, "count").await;
        assert!(
            text.starts_with("[... the middle is left out: this output has 3 bytes in 2 lines")
        );
        assert!(text.ends_with("...]"), "{text}");
        let read = read(&session, json!({"handle": "output_1", "offset": 2})).await;
        assert_eq!(read, "output_1, lines 2-2 of 2; the end\n2: b");
    }
    Ok(())
}

#[tokio::test]
async fn the_text_of_an_error_is_capped_too() -> Tested {
    let error = || Err::<(), _>(format!("no: {}", numbered(20_000)));
    let definition =
        ToolDefinition::new("fail", "Fails").traits(Traits::new().effect(Effect::Read));
    let tool = FnTool::new(definition, move |_: Value, _| std::future::ready(error()));
    let session = open(Runtime::builder().tool(tool))?;
    let result = session.call("fail", "{}").await;
    let text = result.text();
    assert_eq!(result.error(), Some(ErrorKind::Failed));
    assert!(
        text.starts_with("error (failed): no: line 1\n") && text.len() <= 50 << 10,
        "{text}"
    );
    assert!(
        text.contains("20,000 lines") && text.ends_with("line 20000\n"),
        "{text}"
    );
    let read = read(&session, json!({"handle": "output_1", "limit": 1})).await;
    assert!(read.ends_with("\n1: no: line 1"), "{read}");
    Ok(())
}

/// A tool that says much about arguments on which it breaks.
struct Picky(ToolDefinition);

impl Tool for Picky {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn prepare(self: Arc<Self>, _: &Arguments) -> Result<Box<dyn PreparedCall>, ArgumentError> {
        panic!("{}", numbered(20_000))
    }
}

#[tokio::test]
async fn an_error_before_the_call_is_capped_too() -> Tested {
    let definition =
        ToolDefinition::new("picky", "Picky").traits(Traits::new().effect(Effect::Read));
    let session = open(Runtime::builder().tool(Picky(definition)))?;
    let result = session.call("picky", "{}").await;
    assert_eq!(result.error(), Some(ErrorKind::Panicked));
    let text = result.text();
    assert!(
        text.len() <= 50 << 10 && text.contains("20,000 lines; read_output"),
        "{text}"
    );
    Ok(())
}

#[tokio::test]
async fn all_text_of_a_result_counts_and_media_stay() -> Tested {
    let image = Content::image(&BYTES, "image/png");
    let output = ToolOutput::from(image.clone())
        .with_part("a".repeat(30 << 10))
        .with_part(Content::link("https://example.org"))
        .with_part("b".repeat(30 << 10));
    let session = open(Runtime::builder().tool(returning("draw", output)))?;
    let result = session.call("draw", "{}").await;
    let [Content::Text(text), second, Content::Link(_)] = result.content() else {
        return Err(format!("{:?}", result.content()).into());
    };
    assert_eq!(*second, image);
    assert!(
        text.contains("61,441 bytes in 2 lines") && text.len() <= 50 << 10,
        "{text}"
    );
    assert!(text.starts_with("aaa") && text.ends_with("bbb"));
    Ok(())
}

#[tokio::test]
async fn data_that_was_cut_is_whole_for_programs_only() -> Tested {
    let value = json!({"items": "x".repeat(60 << 10)});
    let session = open(Runtime::builder().tool(returning("data", value.clone())))?;
    let results = session.execute([ToolCall::new("data", "{}")]).await;
    assert_eq!(results[0].structured(), Some(&value));
    for sent in [
        gemini::tool_messages(&results),
        openai::tool_messages(&results),
    ] {
        assert!(sent.to_string().len() < 51 << 10, "{sent}");
    }
    Ok(())
}

#[tokio::test]
async fn a_hundred_megabytes_in_one_line_are_cut_and_all_can_be_reached() -> Tested {
    let long = "x".repeat(100 << 20);
    let definition = ToolDefinition::new("long", "Long").traits(Traits::new().effect(Effect::Read));
    let slot = std::sync::Mutex::new(Some(long));
    let tool = FnTool::new(definition, move |_: Value, _| {
        std::future::ready(slot.lock().ok().and_then(|mut long| long.take()))
    });
    let session = open(Runtime::builder().tool(tool))?;
    let text = text_of(&session, "long").await;
    assert!(
        (40 << 10..=50 << 10).contains(&text.len()),
        "{}",
        text.len()
    );
    assert!(
        text.contains("this output has 104,857,600 bytes in 1 line;"),
        "{text}"
    );
    let end = read(&session, json!({"handle": "output_1", "offset": 52_429})).await;
    assert_eq!(
        end,
        format!(
            "output_1, lines 52,429-52,429 of 52,429; the end\n52429: {}",
            "x".repeat(1_600)
        )
    );
    Ok(())
}

#[tokio::test]
async fn what_is_read_page_by_page_is_the_whole() -> Tested {
    let mut random = fastrand::Rng::with_seed(3);
    let lines = (0..3_000).map(|_| match random.u8(..) {
        0..4 => "漢ß".repeat(random.usize(..2_000)),
        _ => "ab c".repeat(random.usize(..20)),
    });
    let whole: Vec<String> = lines.collect();
    let cap = OutputCap::new().bytes(9_000).lines(120);
    let builder = Runtime::builder().output_cap(cap);
    let session = open(builder.tool(returning("lines", whole.join("\n"))))?;
    let cut = text_of(&session, "lines").await;
    let (head, rest) = cut.split_once("[... the middle").ok_or("not cut")?;
    let offset = rest.split_once("\"offset\": ").ok_or("no offset")?.1;
    let mut offset: usize = offset.split('}').next().unwrap_or_default().parse()?;
    assert!(whole.join("\n").starts_with(head.trim_end_matches('\n')));

    let mut read_on = String::new();
    loop {
        let page = read(&session, json!({"handle": "output_1", "offset": offset})).await;
        assert!(page.len() <= 9_000 && page.lines().count() <= 120, "{page}");
        let (header, body) = page.split_once('\n').ok_or("no body")?;
        for line in body.split('\n') {
            let (number, line) = line.split_once(": ").ok_or("no number")?;
            assert_eq!(number, offset.to_string());
            assert!(line.len() <= 2_000);
            offset += 1;
            read_on += line;
        }
        if header.ends_with("; the end") {
            break;
        }
        assert!(
            header.ends_with(&format!("\"offset\": {offset} goes on")),
            "{header}"
        );
    }
    // The line at the cut is read again from where it, or its part, begins.
    let whole = whole.concat();
    assert!(whole.ends_with(&read_on) && head.len() + read_on.len() + 2_000 > whole.len());
    // Nothing of that was cut, so nothing of it was kept.
    let second = read(&session, json!({"handle": "output_2"})).await;
    assert!(second.contains("it has output_1"), "{second}");
    Ok(())
}

#[tokio::test]
async fn reading_searches() -> Tested {
    let session = open(Runtime::builder().tool(returning("count", numbered(5_310))))?;
    text_of(&session, "count").await;
    let grep = |grep: &str, offset: usize, limit: usize| json!({"handle": "output_1", "grep": grep, "offset": offset, "limit": limit});
    assert_eq!(
        read(&session, grep("^line .*31$", 4_800, 2)).await,
        "output_1, 2 of 5 lines that match from line 4,800 on; \"offset\": 5031 goes on\n\
         4831: line 4831\n4931: line 4931"
    );
    assert_eq!(
        read(&session, grep("(?i)LINE 53(09|10)", 1, 200)).await,
        "output_1, 2 of 2 lines that match; the end\n5309: line 5309\n5310: line 5310"
    );
    assert_eq!(
        read(&session, grep("nowhere", 1, 1)).await,
        "no line of output_1 matches; it has 5,310 lines"
    );
    assert_eq!(
        read(&session, grep("line 7$", 9, 1)).await,
        "no line of output_1 matches from line 9 on; it has 5,310 lines"
    );
    let broken = session.call("read_output", grep("(", 1, 1)).await;
    assert_eq!(broken.error(), Some(ErrorKind::Retry));
    assert!(
        broken.text().contains("`grep` is not a regular expression"),
        "{}",
        broken.text()
    );
    Ok(())
}

#[tokio::test]
async fn reading_says_where_it_stands_and_what_to_do() -> Tested {
    let session = open(Runtime::builder().tool(returning("count", numbered(5_310))))?;
    text_of(&session, "count").await;
    let page = read(&session, json!({"handle": "output_1", "offset": 201})).await;
    assert!(
        page.starts_with(
            "output_1, lines 201-400 of 5,310; \"offset\": 401 goes on\n201: line 201\n"
        )
    );
    let past = session
        .call(
            "read_output",
            json!({"handle": "output_1", "offset": 5_311}),
        )
        .await;
    assert_eq!(
        past.text(),
        "error (retry): `output_1` has 5,310 lines, so `offset` 5311 is past its end; \
         without `offset` it is read from the first"
    );
    assert_eq!(
        read(&session, json!({"handle": "output_7"})).await,
        "error (retry): this session has no output `output_7`; it has output_1"
    );
    let zero = session
        .call("read_output", json!({"handle": "output_1", "offset": 0}))
        .await;
    assert_eq!(zero.error(), Some(ErrorKind::InvalidArguments));
    Ok(())
}

#[tokio::test]
async fn the_way_to_the_rest_comes_with_the_first_output_that_is_cut_and_stays() -> Tested {
    let runtime = Runtime::builder()
        .tool(returning("zoo", "\n".repeat(3_000)))
        .tool(returning("ant", "x".repeat(60 << 10)))
        .build()?;
    let session = runtime.session(SessionInfo::new("a"));
    assert_eq!(names(&session), ["ant", "zoo"]);
    assert!(text_of(&session, "zoo").await.contains("\"output_1\""));
    assert!(text_of(&session, "ant").await.contains("\"output_2\""));
    assert_eq!(names(&session), ["ant", "zoo", "read_output"]);
    let definition = session.definition("read_output")?;
    assert_eq!(
        (definition.effect(), definition.is_parallel()),
        (Effect::Read, true)
    );
    let written = session
        .call("functions.read_output", json!({"handle": "output_2"}))
        .await;
    assert_eq!((written.error(), written.repairs().len()), (None, 1));

    let other = runtime.session(SessionInfo::new("b"));
    assert_eq!(names(&other), ["ant", "zoo"]);
    let unknown = other
        .call("read_output", json!({"handle": "output_1"}))
        .await;
    assert_eq!(unknown.error(), Some(ErrorKind::UnknownTool));
    assert!(text_of(&other, "ant").await.contains("\"output_1\""));
    assert_eq!(
        read(&other, json!({"handle": "output_2"})).await,
        "error (retry): this session has no output `output_2`; it has output_1"
    );
    // A conversation that is taken up again goes on where it was.
    drop(session);
    let again = runtime.session(SessionInfo::new("a"));
    assert_eq!(names(&again), ["ant", "zoo", "read_output"]);
    assert!(
        read(&again, json!({"handle": "output_1"}))
            .await
            .starts_with("output_1, lines 1-200")
    );
    Ok(())
}

#[tokio::test]
async fn the_policy_decides_about_reading_as_about_any_tool() -> Tested {
    let policy = PermissionPolicy::new().rule(Rule::deny("tool:read_output"));
    let builder = Runtime::builder().policy(policy);
    let runtime = builder.tool(returning("count", numbered(3_000))).build()?;
    assert!(
        runtime.report().policy.is_empty(),
        "the rule is about a tool that there is"
    );
    let session = runtime.session(SessionInfo::new("a"));
    let text = text_of(&session, "count").await;
    assert!(
        text.contains("3,000 lines; it is not kept, so call the tool for less at a time ...]"),
        "{text}"
    );
    assert_eq!(names(&session), ["count"]);
    let hidden = session
        .call("read_output", json!({"handle": "output_1"}))
        .await;
    assert_eq!(hidden.error(), Some(ErrorKind::UnknownTool));
    Ok(())
}
