//! The program on a corpus whose figures are counted by hand.

use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

type Tested = Result<(), Box<dyn Error>>;

const TOOLS: &str = r#"{"name": "weather", "description": "Tells the weather", "parameters": {}}
{"name": "mail.send", "description": "Sends a letter", "parameters": {"type": "object"}}

{"name": "mail.list", "description": "Lists letters", "parameters": {"properties": {"sender": {}}}}
"#;

/// Found first; one of two, and that first; found second; not found.
const QUERIES: &str = r#"{"id": "a", "query": "weather", "groups": [["weather"]]}
{"query": "weather", "groups": [["weather", "mail.list"], ["mail.send"]]}
{"query": "send mail", "groups": [["mail.list"]]}
{"query": "photograph", "groups": [["weather"]]}
"#;

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Result<Self, std::io::Error> {
        let folder = std::env::temp_dir().join(format!("retrieval-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        for (name, text) in files {
            fs::write(folder.join(name), text)?;
        }
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(folder: &Path, options: &[&str]) -> Result<Output, std::io::Error> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrieval"));
    command.arg(folder).args(options).output()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_figures_are_those_counted_by_hand() -> Tested {
    let files = [
        ("tiny.tools.jsonl", TOOLS),
        ("tiny.held.jsonl", QUERIES),
        ("none.tools.jsonl", TOOLS),
    ];
    let folder = Folder::new("figures", &files)?;
    let output = run(&folder.0, &["--json", "--split", "held"])?;
    assert!(output.status.success(), "{}", error(&output));
    let all: Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(all.as_array().map(Vec::len), Some(1));
    let figures = all[0].as_object().ok_or("an object")?;
    let keys: Vec<&str> = figures.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "corpus",
            "method",
            "queries",
            "r1",
            "r3",
            "r5",
            "r10",
            "mrr",
            "us_per_query",
            "tokens_all",
            "tokens_search"
        ]
    );
    let known = json!({
        "corpus": "tiny", "method": "chatluna-tool", "queries": 4,
        "r1": 0.375, "r3": 0.625, "r5": 0.625, "r10": 0.625, "mrr": 0.625,
    });
    for (key, value) in known.as_object().into_iter().flatten() {
        assert_eq!(&figures[key], value, "{key}");
    }
    let number = |key: &str| figures[key].as_f64().ok_or(format!("`{key}` is no number"));
    assert!(number("us_per_query")? > 0.0);
    assert!(number("tokens_all")? > 0.0);
    assert!(number("tokens_search")? > 0.0);
    Ok(())
}

#[test]
fn the_table_has_a_row_for_each_method() -> Tested {
    let files = [("tiny.tools.jsonl", TOOLS), ("tiny.dev.jsonl", QUERIES)];
    let folder = Folder::new("table", &files)?;
    let output = run(&folder.0, &[])?;
    let table = String::from_utf8(output.stdout)?;
    for method in ["chatluna-tool", "regex, any word", "plain BM25"] {
        let row = format!("tiny       {method:<16}       4 ");
        assert!(table.contains(&row), "{table}");
    }
    Ok(())
}

#[test]
fn without_data_there_is_a_message() -> Tested {
    let empty = Folder::new("empty", &[])?;
    for folder in [&*empty.0, Path::new("/nowhere"), Path::new("")] {
        let output = run(folder, &["--json"])?;
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(output.stdout, b"[]\n");
        assert!(error(&output).starts_with("nothing to measure"));
    }
    Ok(())
}

#[test]
fn a_malformed_line_is_named() -> Tested {
    for (name, tools, queries, place) in [
        ("tools", "{\"name\": 1}", QUERIES, "tiny.tools.jsonl:1`"),
        (
            "queries",
            TOOLS,
            "\n{\"query\": \"a\"}",
            "tiny.dev.jsonl:2`",
        ),
    ] {
        let files = [("tiny.tools.jsonl", tools), ("tiny.dev.jsonl", queries)];
        let folder = Folder::new(name, &files)?;
        let output = run(&folder.0, &[])?;
        assert_eq!(output.status.code(), Some(1));
        assert!(error(&output).contains(place), "{}", error(&output));
    }
    Ok(())
}

#[test]
fn an_unknown_option_is_refused_with_the_usage() -> Tested {
    let output = run(Path::new("."), &["--jsno"])?;
    assert_eq!(output.status.code(), Some(2));
    let error = error(&output);
    assert!(error.starts_with("error: `--jsno` is no option"), "{error}");
    assert!(error.contains("usage: retrieval DIR"), "{error}");
    Ok(())
}
