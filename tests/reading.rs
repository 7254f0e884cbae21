//! What models send, what is read, and what they are told: `reading.txt` holds every case.
//!
//! `CHATLUNA_GOLDEN=overwrite` writes the file anew; the difference is then to be read like code.

use chatluna_tool::{
    BuildError, Json, PermissionPolicy, Runtime, Session, SessionInfo, tool, tool_type, tools,
};
use std::collections::BTreeMap;
use std::env::var_os;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// Current weather
#[tool(traits(effect = "read"))]
async fn weather(
    city: String,
    #[arg(default = 3, range(1..=14))] days: u8,
    #[serde(alias = "unit")] units: Option<Units>,
) -> String {
    format!("{city} {days} {units:?}")
}

#[derive(Debug)]
#[tool_type]
#[serde(rename_all = "lowercase")]
enum Units {
    Metric,
    Imperial,
}

/// Orders goods
#[tool]
async fn order(
    items: Vec<Item>,
    address: Option<Address>,
    gift: bool,
    total: f64,
    tags: Option<Vec<String>>,
) -> String {
    format!("{items:?} {address:?} {gift} {total} {tags:?}")
}

#[derive(Debug)]
#[tool_type]
struct Item {
    sku: String,
    #[serde(default)]
    count: u32,
}

#[derive(Debug)]
#[tool_type]
#[serde(deny_unknown_fields)]
struct Address {
    street: String,
    zip: String,
}

/// Draws a shape
#[tool]
async fn draw(shape: Shape, scale: Option<f32>) -> String {
    format!("{shape:?} {scale:?}")
}

#[derive(Debug)]
#[tool_type]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Circle { radius: u32 },
    Square { side: u32, filled: bool },
}

/// Stores any value
#[tool]
async fn store(key: String, value: serde_json::Value, labels: BTreeMap<String, i64>) -> String {
    format!("{key} {value} {labels:?}")
}

/// Logs in
#[tool]
async fn login(user: String, #[arg(secret, length(4..))] password: String) -> String {
    format!("{user} {}", password.len())
}

/// Says nothing
#[tool]
async fn ping() -> Json<bool> {
    Json(true)
}

/// Plants trees
#[tool]
async fn plant(forest: Forest) -> String {
    format!("{forest:?}")
}

/// A list of itself.
#[derive(Debug)]
#[tool_type]
struct Forest(Vec<Forest>);

/// Takes exact numbers
#[tool]
async fn exact(big: i128, small: Option<i8>) -> String {
    format!("{big} {small:?}")
}

#[tokio::test]
async fn no_text_is_too_long_or_too_deep() -> Result<(), Box<dyn Error>> {
    let session = session()?;
    let deep = |open: &str| format!(r#"{{"city": {}"#, open.repeat(10_000));
    let long = format!(r#"{{"city": 5, "days": "{}"}}"#, "9".repeat(10 << 20));
    let wide = format!(
        r#"{{"items": [{}], "gift": 1}}"#,
        vec!["{}"; 50_000].join(",")
    );
    for text in [deep("["), deep(r#"{"a":"#), long, wide] {
        let result = session.call("order", text).await;
        assert!(result.error().is_some());
        assert!(result.text().len() < 10_000, "{}", result.text().len());
    }
    Ok(())
}

fn session() -> Result<Session, BuildError> {
    let tools = tools![weather, order, draw, store, login, ping, exact, plant];
    let runtime = Runtime::builder().tools(tools);
    let runtime = runtime.policy(PermissionPolicy::allow_all()).build()?;
    Ok(runtime.session(SessionInfo::new("golden")))
}

#[tokio::test]
async fn every_case_is_read_as_the_file_says() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reading.txt");
    let golden = std::fs::read_to_string(&path)?;
    let session = session()?;
    let mut actual = String::new();
    let mut count = 0;
    for line in golden.lines() {
        if let Some(call) = line.strip_prefix("> ") {
            count += 1;
            let (name, arguments) = call.split_once(' ').unwrap_or((call, ""));
            let result = session.call(name, arguments).await;
            writeln!(actual, "> {call}")?;
            for repair in result.repairs() {
                writeln!(actual, "  ~ {repair}")?;
            }
            writeln!(actual, "  {}", result.text().replace('\n', "\n  "))?;
        } else if line.starts_with('#') || line.is_empty() {
            writeln!(actual, "{line}")?;
        }
    }
    if var_os("CHATLUNA_GOLDEN").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, &actual)?;
    }
    assert!(count >= 60, "only {count} cases");
    assert_eq!(actual, std::fs::read_to_string(&path)?);
    Ok(())
}
