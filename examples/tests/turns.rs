//! The same turn in the words of every provider.

use serde_json::Value;
use std::error::Error;
use std::path::Path;
use std::process::Command;

type Tested = Result<(), Box<dyn Error>>;

/// Answers the turn of a provider; gives the messages.
fn turn(provider: &str) -> Result<Value, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("turns");
    let ran = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .args(["turn", "--provider", provider])
        .arg(folder.join(format!("{provider}.json")))
        .output()?;
    Ok(serde_json::from_slice(&ran.stdout)?)
}

/// The texts of the results: what is left at these places in each item of a list.
fn texts(results: &Value, places: &[&str]) -> Vec<String> {
    let text = |result: &Value| {
        let found = places.iter().find_map(|place| result.pointer(place));
        found.and_then(Value::as_str).map(str::to_owned)
    };
    let results = results.as_array().into_iter().flatten();
    results.filter_map(text).collect()
}

fn expected() -> Result<Vec<String>, Box<dyn Error>> {
    let texts = texts(&turn("openai")?, &["/content"]);
    assert_eq!(texts.len(), 9);
    Ok(texts)
}

#[test]
fn openai_responses_reads_the_same_as_openai() -> Tested {
    let items = turn("openai-responses")?;
    assert_eq!(texts(&items, &["/output"]), expected()?);
    Ok(())
}

#[test]
fn anthropic_reads_the_same_as_openai() -> Tested {
    let messages = turn("anthropic")?;
    assert_eq!(texts(&messages[0]["content"], &["/content"]), expected()?);
    Ok(())
}

#[test]
fn gemini_reads_the_same_as_openai() -> Tested {
    let contents = turn("gemini")?;
    let places = ["output", "error"].map(|key| format!("/functionResponse/response/{key}"));
    let places = places.each_ref().map(String::as_str);
    assert_eq!(texts(&contents[0]["parts"], &places), expected()?);
    Ok(())
}
